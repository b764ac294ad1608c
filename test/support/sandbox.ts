import { execute } from '../../src/api/core/execute.ts'
import type { AnyOperation, Method, ParamsOf, ResultOf } from '../../src/api/core/operation.ts'
import { queryOf } from '../../src/client/request.ts'
import { API_KEY_PREFIXES } from '../../src/domain/api-keys.ts'
import type { Owing } from '../../src/domain/billing.ts'
import {
  type Attempt,
  answerChallenge,
  type EnteredCard,
  type Submitted,
  submitEntered,
} from '../../src/domain/card-submission.ts'
import type { Decision, RuleContext } from '../../src/domain/changes.ts'
import type { CheckoutSession } from '../../src/domain/checkout-sessions.ts'
import { DomainError, type ValidationError } from '../../src/domain/domain-error.ts'
import { DEFAULT_DUNNING, type Dunning } from '../../src/domain/dunning.ts'
import type { Event } from '../../src/domain/events.ts'
import { MAX_KEPT_ANSWERS } from '../../src/domain/idempotency.ts'
import { answerInvoiceChallenge } from '../../src/domain/invoice-handling.ts'
import type { Invoice } from '../../src/domain/invoices.ts'
import type { PaymentSession } from '../../src/domain/payment-sessions.ts'
import { loadAttempt } from '../../src/engine/attempts.ts'
import { commit } from '../../src/engine/commit.ts'
import type { Snapshot } from '../../src/engine/invariants.ts'
import { loadOwing } from '../../src/engine/load-billing.ts'
import { drainDeadlines } from '../../src/engine/real-time.ts'
import { type Runtime, ruleContextAt } from '../../src/engine/runtime.ts'
import { onClockOf } from '../../src/engine/time-source.ts'
import type { Reader, Store } from '../../src/store/port/store.ts'
import { checkCallRefusal, checkCallRequest, checkCallResult, checkEvent } from './contract.ts'
import { everything, remembering, storedIn } from './remembering.ts'
import { CHECKOUT_URL, createCounterIds, DAY, START, testFingerprint } from './rule-context.ts'
import { createTestStore } from './test-store.ts'

export { CVC, typed } from './typed-card.ts'
export { CHECKOUT_URL, DAY, START }

interface Callable {
  readonly method: Method
  readonly path: string
}

/** What a refusal tells its caller. */
export interface Refused {
  readonly code: string
  readonly message: string
  readonly param: string | null
  readonly suggestion: string | null
  readonly errors: readonly ValidationError[]
  readonly details: DomainError['details']
}

/** A whole paycli in this process, without HTTP, at a time that only the test moves. */
export interface Sandbox {
  readonly runtime: Runtime
  readonly store: Store
  now(): number
  /** The context as a rule would see it now. */
  context(): RuleContext
  /** Moves the clock and leaves what is due undone, as between two ticks. */
  setClock(unix: number): void
  /** Moves the clock and does what became due, as the daemon's ticker. */
  moveTo(unix: number): Promise<void>
  advance(seconds: number): Promise<void>
  /** Calls an operation over everything but the wire, what is due first, as the daemon does. */
  call<O extends Callable>(operation: O, params: ParamsOf<O>): Promise<ResultOf<O>>
  /** The same with parameters no client would let pass. */
  send(operation: Callable, request: { id?: string; search?: string; body?: unknown }): Promise<unknown>
  /** A buyer submits the form of a session's page. */
  submit(session: string, entered: EnteredCard): Promise<Submitted>
  /** A buyer answers on the 3-D Secure page, for the session or the invoice of that id. */
  answer(id: string, isApproved: boolean): Promise<Submitted | Invoice>
  /** All events, oldest first. */
  events(): Promise<Event[]>
  /** Everything stored, private records too. */
  snapshot(): Promise<Snapshot>
}

export interface SandboxOptions {
  readonly store?: Store
  /** How many ids, and requests, were given out before, so that none is given twice. */
  readonly idsFrom?: number
  readonly dunning?: Dunning
  /** Says no to addresses of endpoints; all are allowed unless given. */
  readonly requireTarget?: Runtime['requireTarget']
  /** How many answers to keyed requests are kept (default: the limit of the service). */
  readonly maxAnswers?: number
}

type DecideSubmission = (attempt: Attempt, context: RuleContext) => Decision<Submitted>

/** A sandbox at `START`, or over a store that was filled before. */
export function createSandbox({
  store: given,
  idsFrom,
  dunning = DEFAULT_DUNNING,
  requireTarget = () => {},
  maxAnswers = MAX_KEPT_ANSWERS,
}: SandboxOptions = {}): Sandbox {
  const { store, written } = remembering(given ?? createTestStore())
  const clock = { now: START }
  const own = { newId: createCounterIds(idsFrom), requireTarget, maxAnswers }
  const runtime = { ...createRuntime(store, { clock, dunning }), ...own }
  let requests = idsFrom ?? 0

  async function drained(): Promise<void> {
    const [failed] = await drainDeadlines(runtime)
    if (failed) throw failed.error
  }

  async function send(
    called: Callable,
    { id, search = '', body }: { id?: string; search?: string; body?: unknown },
  ): Promise<unknown> {
    await drained()
    requests += 1
    const requestId = `req_Test${String(requests).padStart(20, '0')}`
    // A declared operation's kind of `load` is nothing a caller sees.
    const operation = called as unknown as AnyOperation
    const answer = execute(runtime, { operation, id, search, body, requestId })
    return asPublished(called, body, answer)
  }

  async function onPage(session: string, decide: DecideSubmission) {
    await drained()
    const load = async (reader: Reader) => loadAttempt(reader, await sessionOf(reader, session))
    const when = ({ session }: Attempt) => onClockOf(session)
    return commit(runtime, { request: null, load, when, decide })
  }

  async function onInvoice(id: string, decide: (owing: Owing, context: RuleContext) => Decision<Invoice>) {
    await drained()
    const load = async (reader: Reader) => loadOwing(reader, await invoiceOf(reader, id))
    return commit(runtime, { request: null, load, when: ({ invoice }) => onClockOf(invoice), decide })
  }

  return {
    runtime,
    store,
    now: () => clock.now,
    context: () => ruleContextAt(runtime),
    setClock(unix) {
      clock.now = unix
    },
    async moveTo(unix) {
      clock.now = unix
      await drained()
    },
    async advance(seconds) {
      clock.now += seconds
      await drained()
    },
    async call<O extends Callable>(operation: O, params: ParamsOf<O>) {
      return (await send(operation, onTheWire(operation, Object(params)))) as ResultOf<O>
    },
    send,
    submit: (session, entered) =>
      onPage(session, (attempt, context) => submitEntered(attempt, entered, context)),
    answer: (id, isApproved) =>
      id.startsWith('in_')
        ? onInvoice(id, (owing, context) => answerInvoiceChallenge(owing, isApproved, context))
        : onPage(id, (attempt, context) => answerChallenge(attempt, isApproved, context)),
    async events() {
      const events = await allEvents(store)
      for (const event of events) checkEvent(event)
      return events
    },
    snapshot: async () => ({
      now: clock.now,
      checkoutUrl: CHECKOUT_URL,
      dunning,
      sequence: await store.newestSequence(),
      records: await storedIn(store, written),
    }),
  }
}

/** What a call that must be refused was refused with. */
export async function refusal(call: Promise<unknown> | (() => unknown)): Promise<Refused> {
  try {
    await (typeof call === 'function' ? call() : call)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const { code, message, details } = error
    const { param = null, suggestion = null, errors } = details
    return { code, message, param, suggestion, errors: errors ?? [{ code, message, param }], details }
  }
  throw new Error('expected a refusal, but it succeeded')
}

function createRuntime(
  store: Store,
  { clock, dunning }: { readonly clock: { readonly now: number }; readonly dunning: Dunning },
): Omit<Runtime, 'newId' | 'requireTarget'> {
  let secrets = 0
  return {
    store,
    wallNow: () => clock.now,
    fingerprint: testFingerprint,
    publicIdempotencyKey: (key) => key,
    newWebhookSecret: () => {
      secrets += 1
      return `whsec_${Buffer.from(`secret ${secrets}`.padEnd(24, '.')).toString('base64')}`
    },
    newApiKey: (kind) => {
      secrets += 1
      return `${API_KEY_PREFIXES[kind]}${String(secrets).padStart(32, '0')}`
    },
    checkoutUrl: CHECKOUT_URL,
    dunning,
    yieldToEventLoop: async () => {},
  }
}

function onTheWire({ method }: Callable, params: object): { id?: string; search: string; body?: unknown } {
  const { id, ...rest } = { id: undefined, ...params }
  const path = typeof id === 'string' ? { id } : {}
  if (method !== 'POST') return { ...path, search: queryOf(rest) }
  return { ...path, search: '', body: JSON.parse(JSON.stringify(rest)) }
}

async function sessionOf(reader: Pick<Store, 'get'>, id: string): Promise<CheckoutSession | PaymentSession> {
  const session = (await reader.get('checkout_sessions', id)) ?? (await reader.get('payment_sessions', id))
  if (session === null) throw new Error(`no session ${id}`)
  return session
}

async function invoiceOf(reader: Reader, id: string): Promise<Invoice> {
  const invoice = await reader.get('invoices', id)
  if (invoice === null) throw new Error(`no invoice ${id}`)
  return invoice
}

// What a caller gets over the wire must be what the document says, be it a yes or a no; and what was taken, too.
async function asPublished(called: Callable, body: unknown, answer: Promise<unknown>): Promise<unknown> {
  try {
    const result = await answer
    checkCallRequest(called, body)
    checkCallResult(called, result)
    return result
  } catch (error) {
    if (error instanceof DomainError) checkCallRefusal(called, error)
    throw error
  }
}

async function allEvents(store: Store): Promise<Event[]> {
  return (await everything(store, 'events')).sort((a, b) => a.sequence - b.sequence)
}
