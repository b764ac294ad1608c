import type { Sandbox } from '../../domain/sandboxes/sandboxes.ts'
import { loadMatching } from '../../engine/load-related.ts'
import type { PeerProcesses } from '../../store/port/database.ts'
import { createSerialRunner } from '../system/task-scheduling.ts'
import type { SandboxRegistry } from './sandbox-registry.ts'

/** Interval between checks of sandboxes that other processes changed. */
const CHECK_INTERVAL_MS = 60_000
/** Seconds during which a due job is left to the process that has its sandbox open: the duration of its leases. */
const GRACE_SECONDS = 10

export interface SandboxDeadlinesOptions {
  /** The other processes that share the database; undefined when only this process can open it. */
  readonly peers?: PeerProcesses | undefined
  readonly monotonicMs: () => number
  readonly onError: (error: unknown) => void
}

/**
 * Creates a search for the next deadlines of the sandboxes that are not open, so that their due jobs run without a
 * request. In a shared database, every process reads the deadlines of all sandboxes, because other processes may be
 * killed. The watch reads the deadline of a changed sandbox at most once a minute. In a database of one process, the
 * first check reads the summary of each sandbox. After a crash, the first check opens the sandboxes without a summary,
 * one after another, and closes them again. An advance of a test clock that a killed process began continues with the
 * next request in its sandbox.
 */
export function createSandboxDeadlineWatch(
  registry: SandboxRegistry,
  { peers, monotonicMs, onError }: SandboxDeadlinesOptions,
) {
  const { store, wallNow } = registry.default.runtime
  /** Sandboxes that changed after their deadlines were last read. */
  const changed = new Set<string>()
  /** The deadlines of sandboxes in a shared database that are not open in this process, by id, in Unix seconds. */
  const deadlines = new Map<string, number>()
  let areAllChanged = true
  let isStopped = false
  let lastCheckMs = Number.NEGATIVE_INFINITY

  const isOverdue = (at: number) => at + GRACE_SECONDS <= wallNow()
  const overdue = () => [...deadlines].filter(([, at]) => isOverdue(at)).map(([id]) => id)

  peers?.onSandboxChange((id) => {
    registry.deleteSummary(id)
    if (id === null) areAllChanged = true
    else if (id.startsWith('sbx_') && !id.includes('-')) changed.add(id)
  })

  async function checkSandbox(id: string): Promise<void> {
    if (registry.opened(id) === undefined) {
      if (peers === undefined) return openOnce(registry, id)
      const at = await peers.nextDeadlineOf(id)
      if (at !== null) deadlines.set(id, at)
      // Opening the sandbox runs its due jobs. The deadline was read again, because another process may have run the
      // job.
      if (at !== null && !isOverdue(at)) return
      if (at !== null) await registry.findActive(id)
    }
    deadlines.delete(id)
  }

  const checks = createSerialRunner(async () => {
    lastCheckMs = monotonicMs()
    if (areAllChanged) {
      areAllChanged = false
      for (const one of await loadMatching(store, 'sandboxes', { where: { status: 'active' } }))
        if (peers !== undefined || (!isStopped && !(await isKnown(registry, one)))) changed.add(one.id)
    }
    for (const id of [...changed, ...overdue()]) {
      if (isStopped) return
      changed.delete(id)
      try {
        await checkSandbox(id)
      } catch (error) {
        // Without other processes, the next request opens the sandbox, so no retry is needed.
        if (peers !== undefined) changed.add(id)
        onError(error)
      }
    }
  })

  return {
    /** Starts the check if due; an idle database causes no query. */
    startDue(): void {
      if (checks.isRunning()) return
      const isLate = (areAllChanged || changed.size > 0) && monotonicMs() >= lastCheckMs + CHECK_INTERVAL_MS
      if (isLate || overdue().length > 0) checks.run().catch(onError)
    },
    /** Checks now, and resolves when every sandbox with an overdue job is open. */
    look: checks.run,
    stop(): Promise<void> {
      isStopped = true
      return checks.end()
    },
  }
}

/** Resolves with whether the deadline of a sandbox is known, after reading its summary if necessary. */
async function isKnown(registry: SandboxRegistry, record: Sandbox): Promise<boolean> {
  const { id, storage } = record
  if (storage === 'memory' || registry.opened(id) !== undefined || registry.summaryOf(id) !== undefined)
    return true
  return registry.loadSummary(record).catch(() => false)
}

/** Opens a sandbox without a summary, runs its due jobs and closes it again, unless requests use it. */
async function openOnce(registry: SandboxRegistry, id: string): Promise<void> {
  const sandbox = registry.summaryOf(id) === undefined ? await registry.findActive(id) : null
  if (sandbox === null) return
  await sandbox.jobs.tick()
  if (!sandbox.requests.areRunning() && sandbox.jobs.sleepsUntil() !== null) await registry.sleep(id)
}
