import { endWait } from '../domain/authentications.ts'
import type { Decision, Stored, World } from '../domain/changes.ts'
import { type CheckoutSession, expireCheckoutSession } from '../domain/checkout-sessions.ts'
import { deadlineOf, REAL_TIME } from '../domain/deadlines.ts'
import { expirePaymentSession, type PaymentSession } from '../domain/payment-sessions.ts'
import { collectionOf } from '../store/collections.ts'
import type { Reader } from '../store/store.ts'
import { commit } from './commit.ts'
import type { Runtime } from './runtime.ts'
import { loadWaiting, type Waiting } from './waiting.ts'

const DUE_RECORDS_PER_ROUND = 100

/** A record whose deadline could not be carried out; the record stays due. */
export interface FailedDeadline {
  readonly record: Stored
  readonly error: unknown
}

/**
 * Does all that time has made due on a queue, in order, each at its own due time, and resolves with what failed. Called
 * before every request and by the ticker, so no answer depends on when the ticker last ran.
 */
export async function drainDeadlines(runtime: Runtime, queue = REAL_TIME): Promise<FailedDeadline[]> {
  const failed = new Map<string, FailedDeadline>()
  for (;;) {
    // Failed ones stay due, so a round asks for as many more: they must not crowd out the rest.
    const due = await runtime.store.due(queue, runtime.wallNow(), DUE_RECORDS_PER_ROUND + failed.size)
    const todo = due.filter((record) => !failed.has(record.id))
    if (todo.length === 0) return [...failed.values()]
    for (const record of todo) {
      try {
        await carryOut(runtime, record)
      } catch (error) {
        failed.set(record.id, { record, error })
      }
    }
  }
}

async function carryOut(runtime: Runtime, record: Stored): Promise<void> {
  const deadline = deadlineOf(record)
  if (deadline === null) return
  await commit(runtime, {
    at: deadline.at,
    request: null,
    load: (reader) => loadDue(reader, record),
    decide: (loaded, world) => expire(loaded, world),
  })
}

interface Due {
  readonly record: Stored | null
  readonly waiting: Waiting
}

async function loadDue(reader: Reader, { object, id }: Stored): Promise<Due> {
  const record = await reader.get(collectionOf({ object }), id)
  return { record, waiting: await loadWaiting(reader, id) }
}

function expire({ record, waiting }: Due, world: World): Decision<null> {
  // A request may have been faster than this deadline.
  const isStillDue = record !== null && (deadlineOf(record)?.at ?? Number.POSITIVE_INFINITY) <= world.now
  if (!isStillDue) return { changes: [], result: null }
  const cause = { reason: 'time', payment: waiting.payment } as const
  const ended = endWait(waiting.authentication)
  switch (record.object) {
    case 'checkout_session':
      return {
        changes: [...expireCheckoutSession(record as CheckoutSession, cause, world), ...ended],
        result: null,
      }
    case 'payment_session':
      return {
        changes: [...expirePaymentSession(record as PaymentSession, cause, world), ...ended],
        result: null,
      }
    default:
      throw new Error(`time has nothing to do to a ${record.object}`)
  }
}
