import type { Change, Decision, World } from '../domain/changes.ts'
import { type EventRequest, eventOf, type UnsequencedEvent } from '../domain/events.ts'
import { countPending, planDeliveries } from '../domain/webhook-deliveries.ts'
import { MAX_WEBHOOK_ENDPOINTS, type WebhookEndpoint } from '../domain/webhook-endpoints.ts'
import type { Commit, Reader, Write } from '../store/store.ts'
import { type Moment, unixOf } from './moments.ts'
import { react } from './reactions.ts'
import { type Runtime, worldAt } from './runtime.ts'

/** One reason to change something: a request, a submitted page, or a moment that has come. */
export interface Trigger<L, R> {
  /** Only reads; may run more than once. */
  readonly load: (reader: Reader) => Promise<L>
  /** Decides at once on what was loaded; may run more than once. */
  readonly decide: (loaded: L, world: World) => Decision<R>
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

/** A decision with everything that follows from it, and where it was made. */
interface Made<R> {
  readonly decision: Decision<R>
  readonly reader: Reader
  readonly world: World
}

async function decided<L, R>(runtime: Runtime, trigger: Trigger<L, R>, reader: Reader): Promise<Made<R>> {
  const loaded = await trigger.load(reader)
  const world = worldAt(runtime, await unixOf(trigger.when(loaded), reader, runtime.wallNow()))
  const decision = trigger.decide(loaded, world)
  const changes = await react(decision.changes, { reader, world })
  return { decision: { ...decision, changes }, reader, world }
}

async function storable<R>(
  { decision, reader, world }: Made<R>,
  request: EventRequest | null,
): Promise<Commit<Decision<R>>> {
  const events: UnsequencedEvent[] = decision.changes.flatMap(
    (change) => eventOf(change, request, world) ?? [],
  )
  const endpoints = events.length === 0 ? [] : await allEndpoints(reader)
  const writes = finalWrites(decision.changes)
  const planned = events.map((event) => {
    const deliveries = planDeliveries(event, endpoints, world)
    for (const { after } of deliveries) writes.push({ put: after })
    return { ...event, pending_webhooks: countPending(deliveries.map(({ after }) => after)) }
  })
  return { result: decision, writes, events: planned }
}

async function allEndpoints(reader: Reader): Promise<readonly WebhookEndpoint[]> {
  return (await reader.list('webhook_endpoints', { limit: MAX_WEBHOOK_ENDPOINTS })).data
}

/** The last state of each record; records keep the order in which they first changed. */
function finalWrites(changes: readonly Change[]): Write[] {
  const writes = new Map<string, Write>()
  for (const { before, after } of changes) {
    const record = after ?? before
    if (record === null) continue
    // A private record may share its id with a resource, so the object's type is part of the key.
    writes.set(`${record.object} ${record.id}`, after === null ? { remove: record } : { put: record })
  }
  return [...writes.values()]
}
