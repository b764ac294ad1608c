import type { Change, Decision, RuleContext } from '../domain/changes.ts'
import { DomainError } from '../domain/domain-error.ts'
import { type EventRequest, toEvent, type UnsequencedEvent } from '../domain/events.ts'
import { createIdempotencyKey, type IdempotentRequest, type StoredResponse } from '../domain/idempotency.ts'
import { countPendingEndpoints, planDeliveries } from '../domain/webhook-deliveries.ts'
import { MAX_WEBHOOK_ENDPOINTS } from '../domain/webhook-endpoints.ts'
import type { Commit, StoreReader, Write } from '../store/port/store.ts'
import { type EffectiveTime, resolveTime } from './effective-time.ts'
import { type Runtime, ruleContextAt } from './runtime.ts'
import { settledNow } from './settled-time.ts'
import { findStoredResponse } from './stored-responses.ts'

/** The work of one transaction: a request, a submitted form or a due job. */
export interface Trigger<L, R> {
  /** Only reads; may run more than once. */
  readonly load: (reader: StoreReader) => Promise<L>
  /** Synchronous; may run more than once. */
  readonly decide: (loaded: L, context: RuleContext) => Decision<R>
  /** The `request` of the events; null for hosted pages and due jobs. */
  readonly request: EventRequest | null
  /** Returns the effective time of the changes. */
  readonly when: (loaded: L) => EffectiveTime
}

/**
 * Stores a decision in one transaction: the objects, their events and the pending deliveries. Resolves with the result
 * once the transaction is durable. If the decision has an error, stores its changes and rejects with the error.
 */
export async function commit<L, R>(runtime: Runtime, trigger: Trigger<L, R>): Promise<R> {
  const { result: decision } = await runtime.store.transact(async (reader) =>
    toCommit(await evaluate(runtime, trigger, reader), trigger.request),
  )
  if ('error' in decision) throw decision.error
  return decision.result
}

export interface CommitOnceOptions<R> {
  readonly keyed: IdempotentRequest
  /** The id of the same key in version 0.1.0, where it did not depend on the API key. */
  readonly legacyKeyId: string
  /** Returns the response to store; null for an operation that has not finished, and for a temporary error. */
  readonly createResponse: (decision: Decision<R>) => StoredResponse | null
}

/** Either the stored response, new or replayed, or the result of a decision that stored no response. */
export type CommitOnceResult<R> =
  | { readonly response: StoredResponse; readonly isReplay: boolean }
  | { readonly unstoredResult: R }

/**
 * Like `commit`, but idempotent: stores the response in the same transaction and replays it to later requests with the
 * key. Rejects with errors that are not stored, and when the key belongs to a different or an unfinished request.
 */
export async function commitOnce<L, R>(
  runtime: Runtime,
  trigger: Trigger<L, R>,
  { keyed, legacyKeyId, createResponse }: CommitOnceOptions<R>,
): Promise<CommitOnceResult<R>> {
  const { result } = await runtime.store.transact<CommitOnceResult<R> | DomainError>(async (reader) => {
    const { used, former } = await findStoredResponse(reader, { keyed, legacyKeyId }, settledNow(runtime))
    if (former !== null) return { result: { response: former, isReplay: true }, writes: [], events: [] }
    const evaluated = await evaluateOrCatch(runtime, trigger, reader)
    const response = createResponse(evaluated.decision)
    const result = toCommitOnceResult(evaluated.decision, response)
    const { writes, events } = await toCommit(evaluated, trigger.request)
    if (result instanceof DomainError) return { result, writes, events }
    // Removing an expired key first keeps the stored keys ordered by age.
    const expired = used === null ? [] : [{ remove: used }]
    return { result, writes: [...writes, ...expired, { put: createIdempotencyKey(keyed, response) }], events }
  })
  if (result instanceof DomainError) throw result
  return result
}

function toCommitOnceResult<R>(
  decision: Decision<R>,
  response: StoredResponse | null,
): CommitOnceResult<R> | DomainError {
  if (response !== null) return { response, isReplay: false }
  return 'error' in decision ? decision.error : { unstoredResult: decision.result }
}

/** A decision with the reader and the context it was made in. */
interface EvaluatedTrigger<R> {
  readonly decision: Decision<R>
  readonly reader: StoreReader
  readonly context: RuleContext
}

async function evaluate<L, R>(
  runtime: Runtime,
  trigger: Trigger<L, R>,
  reader: StoreReader,
): Promise<EvaluatedTrigger<R>> {
  const loaded = await trigger.load(reader)
  const context = ruleContextAt(runtime, await resolveTime(trigger.when(loaded), reader, runtime.wallNow()))
  const decision = trigger.decide(loaded, context)
  return { decision, reader, context }
}

// An error thrown by `load` or `decide` becomes a decision, so that it can be stored and replayed.
async function evaluateOrCatch<L, R>(
  runtime: Runtime,
  trigger: Trigger<L, R>,
  reader: StoreReader,
): Promise<EvaluatedTrigger<R>> {
  try {
    return await evaluate(runtime, trigger, reader)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { decision: { changes: [], error }, reader, context: ruleContextAt(runtime) }
  }
}

async function toCommit<R>(
  { decision, reader, context }: EvaluatedTrigger<R>,
  request: EventRequest | null,
): Promise<Commit<Decision<R>>> {
  const events: UnsequencedEvent[] = decision.changes.flatMap(
    (change) => toEvent(change, request, context) ?? [],
  )
  const endpoints =
    events.length === 0 ? [] : (await reader.list('webhook_endpoints', { limit: MAX_WEBHOOK_ENDPOINTS })).data
  const writes = finalWrites(decision.changes)
  const planned = events.map((event) => {
    const deliveries = planDeliveries(event, endpoints, context)
    for (const { after } of deliveries) writes.push({ put: after })
    return { ...event, pending_webhooks: countPendingEndpoints(deliveries.map(({ after }) => after)) }
  })
  return { result: decision, writes, events: planned }
}

/** Returns one write per record, with its last state, in the order in which the records first changed. */
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
