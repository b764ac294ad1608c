import { databaseUnavailableError } from '../api/schema/http-errors.ts'
import type { ProcessCoordinator, Store } from '../store/port/store.ts'
import { withTimeout } from './ticker.ts'

/** A database that takes longer than this to respond counts as unreachable. */
const TIMEOUT_MS = 2000

/**
 * Creates a readiness check. It rejects while the store cannot accept changes, and resolves with a warning while the
 * database gives too few connections, or null. Concurrent checks of a shared database share one query.
 */
export function createReadinessCheck(
  storeOf: () => Pick<Store, 'coordinator' | 'failure'>,
): () => Promise<string | null> {
  let checking: Promise<boolean> | null = null
  return async () => {
    const store = storeOf()
    const failure = store.failure?.() ?? null
    if (failure !== null) throw failure
    const { coordinator } = store
    if (coordinator === undefined) return null
    checking ??= isWritable(coordinator).finally(() => {
      checking = null
    })
    if (await checking) return coordinator.connectionShortage()
    throw databaseUnavailableError(coordinator.connectionShortage())
  }
}

async function isWritable(coordinator: ProcessCoordinator): Promise<boolean> {
  const result = coordinator.isWritable().catch(() => false)
  return (await withTimeout(result, TIMEOUT_MS)) === true
}
