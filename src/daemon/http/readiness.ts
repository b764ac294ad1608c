import { createDatabaseUnavailableError } from '../../api/schema/http-errors.ts'
import { loadMatching } from '../../engine/load-related.ts'
import type { Store, StoreReader } from '../../store/port/store.ts'
import { createSingleFlight, waitAtMost } from '../system/task-scheduling.ts'

/** Maximum response time of a reachable database. */
const TIMEOUT_MS = 2000

/**
 * Creates a readiness check, which rejects while the store cannot accept changes. Otherwise the check resolves with
 * null, or with a warning while the database allows too few connections. Concurrent checks of a shared database share
 * one query.
 */
export function createReadinessCheck(
  store: Pick<Store, 'coordinator' | 'failure'>,
): () => Promise<string | null> {
  const { coordinator } = store
  const isWritable = createSingleFlight(async () => {
    const result = coordinator?.isWritable()
    return result !== undefined && (await waitAtMost(result, TIMEOUT_MS).catch(() => false)) === true
  })
  return async () => {
    const failure = store.failure?.() ?? null
    if (failure !== null) throw failure
    if (coordinator === undefined) return null
    if (await isWritable()) return coordinator.connectionShortage()
    throw createDatabaseUnavailableError(coordinator.connectionShortage())
  }
}

/**
 * Creates a function that counts the active sandboxes besides the default sandbox, without opening sandboxes. It
 * resolves with null when the store does not respond. Concurrent calls share one query.
 */
export function createActiveSandboxCounter(store: StoreReader): () => Promise<number | null> {
  return createSingleFlight(async () => {
    const active = loadMatching(store, 'sandboxes', { where: { status: 'active' } })
    return (await waitAtMost(active, TIMEOUT_MS).catch(() => null))?.length ?? null
  })
}
