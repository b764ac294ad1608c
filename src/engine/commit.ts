import type { Change, Decision, RuleContext } from '../domain/changes.ts'
import { DomainError } from '../domain/domain-error.ts'
import { type EventRequest, eventOf, type UnsequencedEvent } from '../domain/events.ts'
import { type KeyedRequest, type StoredAnswer, useKey } from '../domain/idempotency.ts'
import { countPending, planDeliveries } from '../domain/webhook-deliveries.ts'
import { MAX_WEBHOOK_ENDPOINTS } from '../domain/webhook-endpoints.ts'
import type { Commit, Reader, Write } from '../store/port/store.ts'
import { findAnswer } from './kept-answers.ts'
import { react } from './reactions.ts'
import { type Runtime, ruleContextAt } from './runtime.ts'
import { settledNow } from './settled-time.ts'
import { type Moment, unixOf } from './time-source.ts'

/** One reason to change something: a request, a submitted page, or a moment that has come. */
export interface Trigger<L, R> {
  /** Only reads; may run more than once. */
  readonly load: (reader: Reader) => Promise<L>
  /** Decides at once on what was loaded; may run more than once. */
  readonly decide: (loaded: L, context: RuleContext) => Decision<R>
  /** What the events will name as their cause; null when time or a hosted page is. */
  readonly request: EventRequest | null
  /** When it happens on the objects' own clock. */
  readonly when: (loaded: L) => Moment
}

/**
 * Makes a decision a fact: objects, their events and the pending deliveries in one transaction. Resolves with the
 * result when it is durable; rejects with the decision's refusal, after storing what a refusal leaves behind.
 */
export async function commit<L, R>(runtime: Runtime, trigger: Trigger<L, R>): Promise<R> {
  const { result: decision } = await runtime.store.transact(async (reader) =>
    storable(await decided(runtime, trigger, reader), trigger.request),
  )
  if ('refusal' in decision) throw decision.refusal
  return decision.result
}

/** What makes a trigger happen once, however often it is asked for. */
export interface Once<R> {
  readonly keyed: KeyedRequest
  /** The id that version 0.1.0 gave the same key, whoever sent it. */
  readonly unscopedId: string
  /** What is answered for good; null for a result that is only a beginning, and for a refusal that may not last. */
  readonly answerTo: (decision: Decision<R>) => StoredAnswer | null
}

/** How a trigger went that happens once: its answer, be it of now or of before, or what only has begun. */
export type Happened<R> =
  | { readonly answer: StoredAnswer; readonly isReplay: boolean }
  | { readonly begun: R }

/**
 * Like `commit`, but once: the answer is kept in the transaction of what it tells, and given again to whoever asks
 * again. Rejects with a refusal that is not kept, also when the key stands for another request or for one still at work.
 */
export async function commitOnce<L, R>(
  runtime: Runtime,
  trigger: Trigger<L, R>,
  { keyed, unscopedId, answerTo }: Once<R>,
): Promise<Happened<R>> {
  const { result } = await runtime.store.transact<Happened<R> | DomainError>(async (reader) => {
    const { used, former } = await findAnswer(reader, { keyed, unscopedId }, settledNow(runtime))
    if (former !== null) return { result: { answer: former, isReplay: true }, writes: [], events: [] }
    const made = await decidedOrRefused(runtime, trigger, reader)
    const answer = answerTo(made.decision)
    const result = happenedAs(made.decision, answer)
    const { writes, events } = await storable(made, trigger.request)
    if (result instanceof DomainError) return { result, writes, events }
    // A forgotten use goes first, so that uses stay in the order of their time and are found by their age.
    const forgotten = used === null ? [] : [{ remove: used }]
    return { result, writes: [...writes, ...forgotten, { put: useKey(keyed, answer) }], events }
  })
  if (result instanceof DomainError) throw result
  return result
}

function happenedAs<R>(decision: Decision<R>, answer: StoredAnswer | null): Happened<R> | DomainError {
  if (answer !== null) return { answer, isReplay: false }
  return 'refusal' in decision ? decision.refusal : { begun: decision.result }
}

/** A decision with everything that follows from it, and where it was made. */
interface Made<R> {
  readonly decision: Decision<R>
  readonly reader: Reader
  readonly context: RuleContext
}

async function decided<L, R>(runtime: Runtime, trigger: Trigger<L, R>, reader: Reader): Promise<Made<R>> {
  const loaded = await trigger.load(reader)
  const context = ruleContextAt(runtime, await unixOf(trigger.when(loaded), reader, runtime.wallNow()))
  const decision = trigger.decide(loaded, context)
  const changes = await react(decision.changes, { reader, context })
  return { decision: { ...decision, changes }, reader, context }
}

// A refusal of whoever loads or decides is a decision too when it has to be given again.
async function decidedOrRefused<L, R>(
  runtime: Runtime,
  trigger: Trigger<L, R>,
  reader: Reader,
): Promise<Made<R>> {
  try {
    return await decided(runtime, trigger, reader)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { decision: { changes: [], refusal: error }, reader, context: ruleContextAt(runtime) }
  }
}

async function storable<R>(
  { decision, reader, context }: Made<R>,
  request: EventRequest | null,
): Promise<Commit<Decision<R>>> {
  const events: UnsequencedEvent[] = decision.changes.flatMap(
    (change) => eventOf(change, request, context) ?? [],
  )
  const endpoints =
    events.length === 0 ? [] : (await reader.list('webhook_endpoints', { limit: MAX_WEBHOOK_ENDPOINTS })).data
  const writes = finalWrites(decision.changes)
  const planned = events.map((event) => {
    const deliveries = planDeliveries(event, endpoints, context)
    for (const { after } of deliveries) writes.push({ put: after })
    return { ...event, pending_webhooks: countPending(deliveries.map(({ after }) => after)) }
  })
  return { result: decision, writes, events: planned }
}

/** The last state of each record; records keep the order in which they first changed. */
function finalWrites(changes: readonly Change[]): Write[] {
  const [only] = changes
  if (changes.length === 1 && only !== undefined) return writesOf(only)
  const writes = new Map<string, Write[]>()
  for (const change of changes) {
    const record = change.after ?? change.before
    // A private record may share its id with a resource, so the object's type is part of the key.
    if (record !== null) writes.set(`${record.object} ${record.id}`, writesOf(change))
  }
  return [...writes.values()].flat()
}

function writesOf({ before, after }: Change): Write[] {
  if (after !== null) return [{ put: after }]
  return before === null ? [] : [{ remove: before }]
}
