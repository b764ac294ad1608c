import { execute } from '../../src/api/execute.ts'
import type { AnyOperation, Method, ParamsOf, ResultOf } from '../../src/api/operation.ts'
import { queryOf } from '../../src/client/request.ts'
import {
  type Attempt,
  answerChallenge,
  type EnteredCard,
  type Submitted,
  submitEntered,
} from '../../src/domain/card-submission.ts'
import type { Decision, Stored, World } from '../../src/domain/changes.ts'
import type { CheckoutSession } from '../../src/domain/checkout-sessions.ts'
import type { Event } from '../../src/domain/events.ts'
import type { PaymentSession } from '../../src/domain/payment-sessions.ts'
import { type Problem, Refusal } from '../../src/domain/refusal.ts'
import { loadAttempt } from '../../src/engine/attempts.ts'
import { commit } from '../../src/engine/commit.ts'
import { drainDeadlines } from '../../src/engine/deadlines.ts'
import type { Snapshot } from '../../src/engine/invariants.ts'
import { type Runtime, worldAt } from '../../src/engine/runtime.ts'
import {
  COLLECTION_NAMES,
  type Collection,
  type Collections,
  collectionOf,
} from '../../src/store/collections.ts'
import { createMemoryStore } from '../../src/store/memory.ts'
import type { Reader, Store, Write } from '../../src/store/store.ts'
import { CHECKOUT_URL, createCounterIds, DAY, START, testFingerprint } from './world.ts'

export { CHECKOUT_URL, DAY, START }

const EVENTS_PER_PAGE = 100

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
  readonly errors: readonly Problem[]
  readonly details: Refusal['details']
}

/** A whole paycli in this process, without HTTP, at a time that only the test moves. */
export interface Sandbox {
  readonly runtime: Runtime
  readonly store: Store
  now(): number
  /** The world as a rule would see it now. */
  world(): World
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
  /** A buyer answers on the 3-D Secure page. */
  answer(session: string, isApproved: boolean): Promise<Submitted>
  /** All events, oldest first. */
  events(): Promise<Event[]>
  /** Everything stored, private records too. */
  snapshot(): Promise<Snapshot>
}

export interface SandboxOptions {
  readonly store?: Store
  /** How many ids were given out before, so that none is given twice. */
  readonly idsFrom?: number
}

/** A sandbox at `START`, or over a store that was filled before. */
export function createSandbox({ store: given, idsFrom }: SandboxOptions = {}): Sandbox {
  const { store, written } = remembering(given ?? createMemoryStore())
  const clock = { now: START }
  const runtime = { ...createRuntime(store, clock), newId: createCounterIds(idsFrom) }
  let requests = 0

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
    return execute(runtime, { operation, id, search, body, requestId, idempotencyKey: null })
  }

  async function onPage(session: string, decide: (attempt: Attempt, world: World) => Decision<Submitted>) {
    await drained()
    const load = async (reader: Reader) => loadAttempt(reader, await sessionOf(reader, session))
    return commit(runtime, { request: null, load, decide })
  }

  return {
    runtime,
    store,
    now: () => clock.now,
    world: () => worldAt(runtime),
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
    submit: (session, entered) => onPage(session, (attempt, world) => submitEntered(attempt, entered, world)),
    answer: (session, isApproved) =>
      onPage(session, (attempt, world) => answerChallenge(attempt, isApproved, world)),
    events: () => allEvents(store),
    snapshot: async () => ({
      now: clock.now,
      checkoutUrl: CHECKOUT_URL,
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
    if (!(error instanceof Refusal)) throw error
    const { code, message, details } = error
    const { param = null, suggestion = null, errors } = details
    return { code, message, param, suggestion, errors: errors ?? [{ code, message, param }], details }
  }
  throw new Error('expected a refusal, but it succeeded')
}

/** The CVC every test types in: nothing else in a test looks like it. */
export const CVC = '739'

/** A card as a buyer would type it. */
export function typed(number: string, more: Partial<EnteredCard> = {}): EnteredCard {
  const isAmex = /^3[47]/.test(number)
  return { number, exp_month: '12', exp_year: '2031', cvc: isAmex ? `${CVC}1` : CVC, ...more }
}

function createRuntime(store: Store, clock: { readonly now: number }): Omit<Runtime, 'newId'> {
  let secrets = 0
  return {
    store,
    wallNow: () => clock.now,
    fingerprint: testFingerprint,
    newWebhookSecret: () => {
      secrets += 1
      return `whsec_${Buffer.from(`secret ${secrets}`.padEnd(24, '.')).toString('base64')}`
    },
    checkoutUrl: CHECKOUT_URL,
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

async function allEvents(store: Store): Promise<Event[]> {
  return (await everything(store, 'events')).sort((a, b) => a.sequence - b.sequence)
}

async function everything<C extends Collection>(store: Store, collection: C): Promise<Collections[C][]> {
  const found: Collections[C][] = []
  for (let more = true; more; ) {
    const last = found.at(-1)
    const cursor = last === undefined ? {} : { starting_after: last.id }
    const page = await store.list(collection, { limit: EVENTS_PER_PAGE, ...cursor })
    found.push(...page.data)
    more = page.has_more
  }
  return found
}

/** A store as it is, and the ids of all that was ever put into it, by collection. */
function remembering(store: Store): { store: Store; written: ReadonlyMap<Collection, ReadonlySet<string>> } {
  const written = new Map(COLLECTION_NAMES.map((name) => [name, new Set<string>()]))
  const remember = (record: Stored) => written.get(collectionOf(record))?.add(record.id)
  const transact: Store['transact'] = async (work) => {
    let writes: readonly Write[] = []
    const committed = await store.transact(async (reader) => {
      const decided = await work(reader)
      writes = decided.writes
      return decided
    })
    for (const write of writes) if ('put' in write) remember(write.put)
    for (const event of committed.events) remember(event)
    return committed
  }
  const reading = {
    get: store.get.bind(store),
    list: store.list.bind(store),
    due: store.due.bind(store),
    oldest: store.oldest.bind(store),
    newestSequence: store.newestSequence.bind(store),
    close: store.close.bind(store),
  }
  return { store: { ...reading, transact }, written }
}

/** What is stored, read back through the store: what it lists, and the unlisted of which the ids are known. */
async function storedIn(
  store: Store,
  written: ReadonlyMap<Collection, ReadonlySet<string>>,
): Promise<Snapshot['records']> {
  const found = new Map<Collection, Stored[]>()
  for (const name of COLLECTION_NAMES) {
    const listed = await everything(store, name)
    const ids = new Set([...(written.get(name) ?? []), ...listed.map(({ id }) => id)])
    const records = await Promise.all([...ids].map((id) => store.get(name, id)))
    found.set(
      name,
      records.filter((record) => record !== null),
    )
  }
  return Object.fromEntries(found) as unknown as Snapshot['records']
}
