import { DEFAULT_RETENTION } from '../../domain/time/retention.ts'
import { deleteExpiredRecords } from '../../engine/retention.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { loadListenerEndpoints, markEndpointsNotListening } from '../streams/listener-endpoints.ts'
import type { ListenerPresence } from '../streams/listener-presence.ts'
import type { StreamHub } from '../streams/stream-hub.ts'

const SWEEP_SECONDS = 60
/** Maximum number of transactions of a sweep per round; the next round continues the sweep. */
const SWEEP_ROUNDS = 10

/**
 * Creates a function that marks the endpoints of disconnected listeners and deletes old records, at most once a minute.
 * The function resolves with whether the cleanup has finished.
 */
export function createCleanup(
  runtime: Runtime,
  hub: StreamHub,
  presence: ListenerPresence,
  isDefault: boolean,
): () => Promise<boolean> {
  let sweptAt = 0
  return async () => {
    // Math.abs() also covers a wall clock that was set back.
    if (Math.abs(runtime.wallNow() - sweptAt) < SWEEP_SECONDS) return true
    const abandoned = hub.findAbandoned(await loadListenerEndpoints(runtime.store))
    await markEndpointsNotListening(runtime, await presence.withoutListenerElsewhere(abandoned))
    // The default sandbox is not measured, because it has no quota and may be large.
    if (!isDefault) await runtime.store.measureUsage?.()
    const dropped = await deleteExpiredRecords(runtime, DEFAULT_RETENTION, SWEEP_ROUNDS)
    // The next round deletes the remaining records, because deliveries and due jobs have priority.
    if (dropped > 0) return false
    sweptAt = runtime.wallNow()
    return true
  }
}
