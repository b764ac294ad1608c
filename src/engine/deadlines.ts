import { type ApiKey, expireApiKey } from '../domain/api-keys.ts'
import { endWait } from '../domain/authentications.ts'
import { beginSubscription, endPeriod, passDueDate, retryInvoice } from '../domain/billing.ts'
import { hearIssuer } from '../domain/card-submission.ts'
import type { Change, Decision, RuleContext, Stored } from '../domain/changes.ts'
import { type CheckoutSession, expireCheckoutSession } from '../domain/checkout-sessions.ts'
import { deadlineOf } from '../domain/deadlines.ts'
import type { Invoice } from '../domain/invoices.ts'
import { expirePaymentSession, type PaymentSession } from '../domain/payment-sessions.ts'
import { isProcessing } from '../domain/processing.ts'
import { failRefund, succeedRefund } from '../domain/refunds.ts'
import type { Subscription } from '../domain/subscriptions.ts'
import { isDeletedClock } from '../domain/test-clocks.ts'
import { endTimer, putOff, type Timer } from '../domain/timers.ts'
import type { Collection, Collections } from '../store/port/collections.ts'
import type { Reader } from '../store/port/store.ts'
import { loadAttempt } from './attempts.ts'
import { commit } from './commit.ts'
import { takeSteps } from './drain-loop.ts'
import { loadAccount, loadOwing } from './load-billing.ts'
import type { Runtime } from './runtime.ts'
import { isStoreTrouble } from './store-trouble.ts'
import { type Moment, onClockOf, realTime } from './time-source.ts'
import { loadWaiting } from './waiting.ts'

// Each waits for the disk. More of them make larger writes, for which every other client waits too.
const TRANSACTIONS_UNDER_WAY = 32

/** A record whose deadline could not be carried out; the record stays due. */
export interface FailedDeadline {
  readonly record: Stored
  readonly error: unknown
}

/** What time is to do: all that is due on a queue up to a moment. */
export interface Drain {
  readonly queue: string
  /** Unix seconds. */
  readonly until: number
  /** On a test clock the first failure ends it: the rest would happen out of order. */
  readonly stopsAtFailure: boolean
}

/** What a drain left due. */
export interface Left {
  readonly failed: readonly FailedDeadline[]
  /** How many sessions wait for the outcome of a payment before they can expire. */
  readonly waiting: number
}

/** The due records that a drain passes over, by key. */
interface PassedOver {
  readonly failed: Map<string, FailedDeadline>
  readonly waiting: Set<string>
}

/**
 * Does what is due on a queue, in order, each at its own due time, and resolves with what it left; rejects, and leaves
 * the rest due, when the disk takes nothing.
 */
export async function carryOutDue(runtime: Runtime, drain: Drain): Promise<Left> {
  const passed: PassedOver = { failed: new Map(), waiting: new Set() }
  await takeSteps(runtime, {
    underWay: TRANSACTIONS_UNDER_WAY,
    step: async (onTurn) => {
      const outcome = await carryOutNext(runtime, drain, { passed, onTurn })
      return outcome === 'failed' ? !drain.stopsAtFailure : outcome !== 'nothing'
    },
  })
  return { failed: [...passed.failed.values()], waiting: passed.waiting.size }
}

/** What is due next: when it happens, and what. */
interface Next {
  readonly moment: Moment
  readonly carryOut: (context: RuleContext) => Decision<null>
}

interface NextOptions {
  readonly passed: PassedOver
  /** Called when the turn of the transaction in the store has come. */
  readonly onTurn: () => void
}

async function carryOutNext(
  runtime: Runtime,
  drain: Drain,
  { passed, onTurn }: NextOptions,
): Promise<'done' | 'nothing' | 'waits' | 'failed'> {
  let tried: Stored | null = null
  try {
    return await commit<Next | null, 'done' | 'nothing' | 'waits'>(runtime, {
      request: null,
      load: async (reader) => {
        onTurn()
        tried = await earliest(reader, drain, passed)
        return tried === null ? null : loadNext(reader, tried)
      },
      when: (next) => next?.moment ?? realTime,
      decide: (next, context) => {
        if (next !== null) return { changes: next.carryOut(context).changes, result: 'done' }
        if (tried === null) return { changes: [], result: 'nothing' }
        passed.waiting.add(keyOf(tried))
        return { changes: [], result: 'waits' }
      },
    })
  } catch (error) {
    if (isStoreTrouble(error)) throw error
    // A store that takes no transaction at all fails whatever is due; reading goes on.
    const record = (tried as Stored | null) ?? (await earliest(runtime.store, drain, passed))
    if (record === null) return 'nothing'
    passed.failed.set(keyOf(record), { record, error })
    return 'failed'
  }
}

async function earliest(
  reader: Reader,
  { queue, until, stopsAtFailure }: Drain,
  { failed, waiting }: PassedOver,
): Promise<Stored | null> {
  // Those that were under way when the first one failed would pass it by.
  if (stopsAtFailure && failed.size > 0) return null
  // What is passed over stays due, so as many more are asked for: it must not hide the rest.
  const due = await reader.due(queue, until, failed.size + waiting.size + 1)
  return due.find((record) => !failed.has(keyOf(record)) && !waiting.has(keyOf(record))) ?? null
}

/** What tells a record that is due from all others: a timer shares its id with the object it is for. */
export function keyOf({ object, id }: Stored): string {
  return `${object} ${id}`
}

// Null for a session that waits for the outcome of a payment before it can expire.
async function loadNext(reader: Reader, record: Stored): Promise<Next | null> {
  const deadline = deadlineOf(record)
  if (deadline === null) throw new Error(`nothing is due of ${record.object} ${record.id}`)
  if (record.object === 'timer') return loadTimer(reader, record as Timer)
  const carryOut = await loadDeadline(reader, record)
  return carryOut && { moment: { at: deadline.at }, carryOut }
}

async function loadDeadline(reader: Reader, record: Stored): Promise<Next['carryOut'] | null> {
  switch (record.object) {
    case 'checkout_session':
    case 'payment_session':
      return loadExpiry(reader, record as CheckoutSession | PaymentSession)
    case 'subscription': {
      const account = await loadAccount(reader, record as Subscription)
      const isPending = account.subscription.status === 'pending'
      return (context) => (isPending ? beginSubscription(account, context) : endPeriod(account, context))
    }
    case 'invoice': {
      const owing = await loadOwing(reader, record as Invoice)
      return (context) => retryInvoice(owing, context)
    }
    case 'api_key':
      return () => ({ changes: [expireApiKey(record as ApiKey)], result: null })
    default:
      throw new Error(`time has nothing to do to a ${record.object}`)
  }
}

async function loadExpiry(
  reader: Reader,
  session: CheckoutSession | PaymentSession,
): Promise<Next['carryOut'] | null> {
  const { payment, authentication } = await loadWaiting(reader, session.id)
  if (isProcessing(payment)) return null
  const cause = { reason: 'time', payment } as const
  return (context) => {
    const expired =
      session.object === 'checkout_session'
        ? expireCheckoutSession(session, cause, context)
        : expirePaymentSession(session, cause, context)
    return { changes: [...expired, ...endWait(authentication)], result: null }
  }
}

async function loadTimer(reader: Reader, timer: Timer): Promise<Next> {
  const { what, id, at } = timer
  if (what === 'issuer_answers') return loadAnswer(reader, timer)
  const decide = await TIMERS[what](reader, id)
  const carryOut: Next['carryOut'] = (context) => ({
    changes: [endTimer(timer), ...decide(context).changes],
    result: null,
  })
  return { moment: { at }, carryOut }
}

const TIMERS: Readonly<
  Record<Exclude<Timer['what'], 'issuer_answers'>, (reader: Reader, id: string) => Promise<Next['carryOut']>>
> = {
  async invoice_overdue(reader, id) {
    const invoice = await required(reader, 'invoices', id)
    const { account } = await loadOwing(reader, invoice)
    return (context) => passDueDate(account, invoice, context)
  },
  async refund_succeeds(reader, id) {
    const refund = await required(reader, 'refunds', id)
    return () => ({ changes: [succeedRefund(refund)], result: null })
  },
  async refund_fails(reader, id) {
    const refund = await required(reader, 'refunds', id)
    const payment = await required(reader, 'payments', refund.payment)
    return () => ({ changes: failRefund(refund, payment), result: null })
  },
}

/** How long an issuer waits to be heard while the session's clock is being advanced. */
const PATIENCE_SECONDS = 1

// The issuer is heard in real time, and what it says happens on the session's own clock, once that stands still.
async function loadAnswer(reader: Reader, timer: Timer): Promise<Next> {
  const session = await sessionOf(reader, timer.id)
  const { test_clock } = session
  const clock = test_clock === null ? null : await reader.get('test_clocks', test_clock)
  const state = clock === null || isDeletedClock(clock) ? 'ready' : clock.status
  const ended = endTimer(timer)
  const inRealTime = (changes: (context: RuleContext) => Change[]): Next => ({
    moment: realTime,
    carryOut: (context) => ({ changes: changes(context), result: null }),
  })
  // One that is being deleted ends the session, and the issuer is heard in vain.
  if (state === 'advancing' || state === 'deleting')
    return inRealTime(({ wallNow }) => [putOff(timer, wallNow + PATIENCE_SECONDS)])
  // Nothing happens on a broken clock any more, until it is deleted with all that is on it.
  if (state === 'internal_failure') return inRealTime(() => [ended])
  const attempt = await loadAttempt(reader, session)
  const isOnClock = session.status === 'open' && test_clock !== null
  return {
    moment: isOnClock ? onClockOf(session) : { at: timer.at },
    carryOut: (context) => ({ changes: [ended, ...hearIssuer(attempt, context).changes], result: null }),
  }
}

async function sessionOf(reader: Reader, id: string): Promise<CheckoutSession | PaymentSession> {
  return (await reader.get('checkout_sessions', id)) ?? required(reader, 'payment_sessions', id)
}

async function required<C extends Collection>(
  reader: Reader,
  collection: C,
  id: string,
): Promise<Collections[C]> {
  const record = await reader.get(collection, id)
  if (record === null) throw new Error(`${id} is not among the ${collection}`)
  return record
}
