import type { Change, Decision, RuleContext } from '../domain/core/changes.ts'
import { DomainError } from '../domain/core/domain-error.ts'
import { type EventRequest, toEvent, type UnsequencedEvent } from '../domain/events/events.ts'
import { countPendingEndpoints, createFirstDeliveryAttempts } from '../domain/events/webhook-deliveries.ts'
import { MAX_WEBHOOK_ENDPOINTS } from '../domain/events/webhook-endpoints.ts'
import { type CountingIssuerFaults, createCountingIssuerFaults } from '../domain/faults/issuer-faults.ts'
import {
  createIdempotencyKey,
  type IdempotentRequest,
  type StoredResponse,
} from '../domain/requests/idempotency.ts'
import type { Store, StoreReader, Write } from '../store/port/store.ts'
import { getRetentionTime } from './retention-clock.ts'
import { createRuleContextAt, type Runtime } from './runtime.ts'
import { findStoredResponse } from './stored-responses.ts'
import { loadReferencedTime, type TimeReference } from './time-reference.ts'

/** The work of one transaction: a request, a submitted form or a due job. */
export interface TransactionPlan<L, R> {
  /** Loads the required records and changes nothing; may run more than once. */
  readonly load: (reader: StoreReader) => Promise<L>
  /** Returns the decision synchronously; may run more than once. */
  readonly decide: (loaded: L, context: RuleContext) => Decision<R>
  /** The `request` of the events; null for hosted pages and due jobs. */
  readonly request: EventRequest | null
  /** Returns the effective time of the changes. */
  readonly when: (loaded: L) => TimeReference
  /** Whether the transaction deletes objects, so that a full sandbox accepts its events (default: false). */
  readonly isDeletion?: boolean
}

/** Makes a request idempotent: its response is stored in its transaction and replayed to later requests with the key. */
export interface TransactionIdempotency<R> {
  readonly keyed: IdempotentRequest
  /** Returns the response to store; null for an operation that has not finished, and for a temporary error. */
  readonly createResponse: (decision: Decision<R>) => StoredResponse | null
}

/** The result of a transaction: a decision with its stored response, or the response of an earlier request. */
export type TransactionResult<R> =
  | { readonly kind: 'decided'; readonly decision: Decision<R>; readonly stored: StoredResponse | null }
  | { readonly kind: 'replayed'; readonly response: StoredResponse }

/**
 * Stores a decision in one transaction: the objects, their events, the pending deliveries and the response of an
 * idempotent request. Resolves once the transaction is durable. If `mustWait` resolves with true, the transaction
 * changes nothing and resolves with null. Rejects when the key belongs to a different or an unfinished request.
 */
export async function runTransaction<L, R>(
  runtime: Runtime,
  plan: TransactionPlan<L, R>,
  idempotency: TransactionIdempotency<R> | null = null,
  mustWait?: (reader: StoreReader) => Promise<boolean>,
): Promise<TransactionResult<R> | null> {
  const { request } = plan
  const { result } = await runtime.store.transact<TransactionResult<R> | null>(async (reader) => {
    if (await mustWait?.(reader)) return { result: null, writes: [], events: [] }
    const earlier =
      idempotency && (await findStoredResponse(reader, idempotency.keyed, getRetentionTime(runtime)))
    if (earlier?.former)
      return { result: { kind: 'replayed', response: earlier.former }, writes: [], events: [] }
    const { decision, context } = await decide(runtime, plan, reader)
    const stored = idempotency?.createResponse(decision) ?? null
    const { writes, events } = await planWrites(decision.changes, reader, { request, context, runtime })
    if (plan.isDeletion !== true && isGrowth(decision.changes, events)) runtime.requireRoom?.()
    // An error that is not stored leaves the idempotency key unused.
    if (idempotency !== null && (stored !== null || 'result' in decision)) {
      // Removing an expired key first keeps the stored keys ordered by age.
      if (earlier?.used) writes.push({ remove: earlier.used })
      writes.push({ put: createIdempotencyKey(idempotency.keyed, stored) })
    }
    return { result: { kind: 'decided', decision, stored }, writes, events }
  })
  // The transaction is durable, so a failed read of the fault rules must not reject it. The next use of the fault rules
  // reads them again.
  if (result?.kind === 'decided' && result.decision.changes.some(changesFaultRules))
    await runtime.faults.refresh().catch(() => {})
  return result
}

// The change of a record without an event, such as the expiry of an API key, does not increase the stored data.
function isGrowth(changes: readonly Change[], events: readonly UnsequencedEvent[]): boolean {
  return events.length > 0 || changes.some(({ before }) => before === null)
}

// Ignores new counts of a fault, which do not change the kinds of faults that exist.
function changesFaultRules({ before, after }: Change): boolean {
  return (before === null || after === null) && (after ?? before)?.object === 'fault'
}

/** Runs one transaction and resolves with its result. If the decision has an error, stores its changes and rejects. */
export async function commit<L, R>(runtime: Runtime, plan: TransactionPlan<L, R>): Promise<R> {
  return unwrapTransactionResult(await runTransaction(runtime, plan))
}

/** Returns the result of a transaction without an idempotency key; throws the error of its decision. */
export function unwrapTransactionResult<R>(ended: TransactionResult<R> | null): R {
  if (ended?.kind !== 'decided') throw new Error('the transaction made no decision')
  if ('error' in ended.decision) throw ended.decision.error
  return ended.decision.result
}

/** Stores changes to records without events in one transaction, such as the result of a delivery attempt. */
export async function commitRecordChanges<R>(
  store: Store,
  decide: (reader: StoreReader) => Promise<{ readonly changes: readonly Change[]; readonly result: R }>,
): Promise<R> {
  const { result } = await store.transact(async (reader) => {
    const { changes, result } = await decide(reader)
    return { result, writes: finalWrites(changes), events: [] }
  })
  return result
}

// An error thrown by `load` or `decide` becomes a decision, so that it can be stored and replayed.
async function decide<L, R>(
  runtime: Runtime,
  plan: TransactionPlan<L, R>,
  reader: StoreReader,
): Promise<{ readonly decision: Decision<R>; readonly context: RuleContext }> {
  let issuerFaults: CountingIssuerFaults | null = null
  try {
    const loaded = await plan.load(reader)
    const now = await loadReferencedTime(plan.when(loaded), reader, runtime.wallNow())
    issuerFaults = await loadIssuerFaults(runtime, reader)
    const context = createRuleContextAt(runtime, now, issuerFaults)
    return { decision: withFaultCounts(plan.decide(loaded, context), issuerFaults), context }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    // A thrown decline discards all changes of the rule, but the match of the fault counts.
    const decision = withFaultCounts<R>({ changes: [], error }, issuerFaults)
    return { decision, context: createRuleContextAt(runtime) }
  }
}

async function loadIssuerFaults(runtime: Runtime, reader: StoreReader): Promise<CountingIssuerFaults | null> {
  if (!runtime.faults.has('payment')) return null
  const rules = await runtime.faults.load(reader)
  return createCountingIssuerFaults(rules, runtime.wallNow())
}

function withFaultCounts<R>(decision: Decision<R>, issuerFaults: CountingIssuerFaults | null): Decision<R> {
  const changes = issuerFaults?.changes() ?? []
  return changes.length === 0 ? decision : { ...decision, changes: [...decision.changes, ...changes] }
}

const EVENTS_PER_SLICE = 20

interface PlanOptions {
  readonly request: EventRequest | null
  readonly context: RuleContext
  readonly runtime: Pick<Runtime, 'yieldToEventLoop'>
}

async function planWrites(
  changes: readonly Change[],
  reader: StoreReader,
  { request, context, runtime }: PlanOptions,
): Promise<{ writes: Write[]; events: UnsequencedEvent[] }> {
  const events = changes.flatMap((change) => toEvent(change, request, context) ?? [])
  const endpoints =
    events.length === 0 ? [] : (await reader.list('webhook_endpoints', { limit: MAX_WEBHOOK_ENDPOINTS })).data
  const writes = finalWrites(changes)
  if (endpoints.length === 0) return { writes, events }
  const planned: UnsequencedEvent[] = []
  for (const [at, event] of events.entries()) {
    // Yield, because a deletion may have thousands of events, each with deliveries to a hundred endpoints.
    if (at % EVENTS_PER_SLICE === EVENTS_PER_SLICE - 1) await runtime.yieldToEventLoop()
    const deliveries = createFirstDeliveryAttempts(event, endpoints, context)
    for (const { after } of deliveries) writes.push({ put: after })
    planned.push({ ...event, pending_webhooks: countPendingEndpoints(deliveries.map(({ after }) => after)) })
  }
  return { writes, events: planned }
}

/** Returns one write per record, with its last state, in the order in which the records first changed. */
function finalWrites(changes: readonly Change[]): Write[] {
  const [only] = changes
  if (changes.length === 1 && only !== undefined) return writesOf(only)
  const writes = new Map<string, Write[]>()
  for (const change of changes) {
    const record = change.after ?? change.before
    // An internal record may share its id with a resource, so the object's type is part of the key.
    if (record !== null) writes.set(`${record.object} ${record.id}`, writesOf(change))
  }
  return [...writes.values()].flat()
}

function writesOf({ before, after }: Change): Write[] {
  if (after !== null) return [{ put: after }]
  return before === null ? [] : [{ remove: before }]
}
