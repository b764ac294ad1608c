import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import { type Clock, getUnfrozenSeconds } from '../system/clock.ts'
import { startTicker } from '../system/task-scheduling.ts'
import type { OpenSandbox } from './open-sandbox.ts'
import { createSandboxDeadlineWatch, type SandboxDeadlinesOptions } from './sandbox-deadlines.ts'
import type { SandboxRegistry } from './sandbox-registry.ts'

const TICK_MS = 250
/** Time without activity after which a sandbox is closed. */
const IDLE_MS = 300_000

/** The rounds of background jobs of all sandboxes. */
export type SandboxRounds = ReturnType<typeof startSandboxRounds>

/**
 * Starts a round every 250 ms in the default sandbox, and in every other sandbox that has work. No round waits for
 * another sandbox, and an idle sandbox requires only one comparison.
 */
export function startSandboxRounds(
  registry: SandboxRegistry,
  clock: Clock,
  options: SandboxDeadlinesOptions,
) {
  const { monotonicMs, onError } = options
  /** The time of the last activity in each open sandbox, in monotonic milliseconds. */
  const activeMs = new WeakMap<OpenSandbox, number>()
  const deadlines = createSandboxDeadlineWatch(registry, options)
  // Do not await this call, so that the server accepts requests immediately.
  if (options.peers === undefined) deadlines.look().catch(onError)

  function startDue(): void {
    const nowMs = monotonicMs()
    registry.memory.sample()
    for (const sandbox of registry.allOpen()) {
      const { id, jobs, requests } = sandbox
      const isActive = jobs.isRoundDue() || jobs.sleepsUntil() === null || requests.areRunning()
      const sinceMs = (isActive ? null : activeMs.get(sandbox)) ?? nowMs
      activeMs.set(sandbox, sinceMs)
      if (jobs.isRoundDue()) jobs.startRound()
      if (id !== DEFAULT_SANDBOX && nowMs - sinceMs >= IDLE_MS) registry.sleep(id).catch(onError)
    }
    deadlines.startDue()
    registry.openDue(getUnfrozenSeconds(clock), onError)
  }

  const ticker = startTicker(async () => startDue(), { everyMs: TICK_MS, onError })
  return {
    /** Starts due rounds, closes idle sandboxes and opens sandboxes with a due job. */
    startDue,
    /** Runs one round in every open sandbox and resolves when no delivery attempt is in flight; for tests. */
    async tick(): Promise<void> {
      await deadlines.look()
      await Promise.all([...registry.allOpen()].map(({ jobs }) => jobs.tick()))
    },
    async stop(): Promise<void> {
      await Promise.all([ticker.stop(), deadlines.stop()])
    },
  }
}
