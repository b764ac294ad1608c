import { loadAll } from '../../engine/load-related.ts'
import type { DatabasePeers } from '../../store/port/database.ts'
import { createSerialRunner } from '../system/ticker.ts'
import type { SandboxRegistry } from './sandbox-registry.ts'

/** Interval between checks of sandboxes that other processes changed. */
const LOOK_MS = 60_000
/**
 * Time for which a due job is left to the process that has its sandbox open, equal to the time until its leases expire.
 */
const GRACE_SECONDS = 10

/** Finds due jobs of sandboxes that are not open here, whichever process created them. */
export interface SharedLookout {
  /** Starts a check when one is due; an idle database causes no query. */
  readonly startDue: () => void
  /** Checks now, and resolves when every sandbox with an overdue job is open. */
  readonly look: () => Promise<void>
  readonly stop: () => Promise<void>
}

interface SharedLookoutOptions {
  readonly peers: DatabasePeers
  readonly monotonicMs: () => number
  readonly onError: (error: unknown) => void
}

/**
 * Creates a lookout of a database that several processes share: a process may be killed, so all know when the jobs of each
 * sandbox are due. A change costs one query a minute. An advance of a test clock that a killed process began continues with
 * the next request in its sandbox.
 */
export function createSharedLookout(
  registry: SandboxRegistry,
  { peers, monotonicMs, onError }: SharedLookoutOptions,
): SharedLookout {
  const { store, wallNow } = registry.default.runtime
  /** Sandboxes that changed since their deadlines were read. */
  const changed = new Set<string>()
  /** The deadlines of the other sandboxes that are not open here, in Unix seconds. */
  const deadlines = new Map<string, number>()
  let areAllChanged = true
  let isStopped = false
  let lookedMs = Number.NEGATIVE_INFINITY

  const isOverdue = (at: number) => at + GRACE_SECONDS <= wallNow()
  const overdue = () => [...deadlines].filter(([, at]) => isOverdue(at)).map(([id]) => id)

  peers.onSandboxChange((id) => {
    registry.dropSleep(id)
    if (id === null) areAllChanged = true
    else if (id.startsWith('sbx_') && !id.includes('-')) changed.add(id)
  })

  async function lookAt(id: string): Promise<void> {
    if (registry.opened(id) === undefined) {
      const at = await peers.nextDeadlineOf(id)
      if (at !== null) deadlines.set(id, at)
      // Opening the sandbox runs its due jobs. The deadline was read again, because another process may have run the
      // job.
      if (at !== null && !isOverdue(at)) return
      if (at !== null) await registry.findActive(id)
    }
    deadlines.delete(id)
  }

  const looks = createSerialRunner(async () => {
    lookedMs = monotonicMs()
    if (areAllChanged) {
      areAllChanged = false
      for (const { id } of await loadAll(store, 'sandboxes', { where: { status: 'active' } })) changed.add(id)
    }
    for (const id of [...changed, ...overdue()]) {
      if (isStopped) return
      changed.delete(id)
      try {
        await lookAt(id)
      } catch (error) {
        changed.add(id)
        onError(error)
      }
    }
  })

  return {
    startDue() {
      if (looks.isRunning()) return
      const isLate = (areAllChanged || changed.size > 0) && monotonicMs() >= lookedMs + LOOK_MS
      if (isLate || overdue().length > 0) looks.run().catch(onError)
    },
    look: looks.run,
    stop() {
      isStopped = true
      return looks.end()
    },
  }
}
