import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import type { DatabasePeers } from '../../store/port/database.ts'
import { type Clock, passingSeconds } from '../system/clock.ts'
import { startTicker } from '../system/ticker.ts'
import { findDeadlines } from './sandbox-lookout.ts'
import type { SandboxRegistry } from './sandbox-registry.ts'
import { createSharedLookout } from './shared-lookout.ts'

const TICK_MS = 250
/** Time without activity after which a sandbox is closed. */
const IDLE_MS = 300_000
/** A sandbox with a due job that cannot be opened is tried again after this time. */
const RETRY_SECONDS = 60

/** The rounds of background jobs of all sandboxes. */
export interface SandboxRounds {
  /** Starts the rounds that are due, closes idle sandboxes and opens those with a due job. */
  readonly startDue: () => void
  /** Runs one round in every open sandbox and resolves when no delivery attempt is in flight; for tests. */
  readonly tick: () => Promise<void>
  readonly stop: () => Promise<void>
}

interface SandboxRoundsOptions {
  readonly monotonicMs: () => number
  readonly onError: (error: unknown) => void
  /** The clock of the sandboxes (default: the wall clock of the default sandbox). */
  readonly clock?: Clock
  /** The other processes that share the database. */
  readonly peers?: DatabasePeers | undefined
}

/**
 * Starts a round every 250 ms in the default sandbox, and in each other one that has work. No round waits for another
 * sandbox, and an idle sandbox costs one comparison.
 */
export function startSandboxRounds(
  registry: SandboxRegistry,
  { monotonicMs, onError, peers, clock }: SandboxRoundsOptions,
): SandboxRounds {
  /** The time of the last activity in each open sandbox, in monotonic milliseconds. */
  const activeMs = new Map<string, number>()
  const waking = new Set<string>()

  const others = peers && createSharedLookout(registry, { peers, monotonicMs, onError })

  function startDue(): void {
    const nowMs = monotonicMs()
    registry.capacity.sample()
    for (const { id, jobs, requests } of registry.allOpen()) {
      const isActive = jobs.isRoundDue() || jobs.sleepsUntil() === null || requests.areRunning()
      if (isActive || !activeMs.has(id)) activeMs.set(id, nowMs)
      if (jobs.isRoundDue()) jobs.startRound()
      if (id !== DEFAULT_SANDBOX && nowMs - (activeMs.get(id) ?? nowMs) >= IDLE_MS) {
        activeMs.delete(id)
        registry.sleep(id).catch(onError)
      }
    }
    for (const id of activeMs.keys()) if (registry.opened(id) === undefined) activeMs.delete(id)
    others?.startDue()
    const reached = clock === undefined ? registry.default.runtime.wallNow() : passingSeconds(clock)
    const now = registry.default.runtime.wallNow()
    for (const [id, { wakesAt }] of registry.allSleeping())
      if (wakesAt !== null && wakesAt <= reached && !registry.hasExpired(id, now)) wake(id, reached)
  }

  // Only opens the sandbox, because its first round is due at once.
  function wake(id: string, now: number): void {
    if (waking.has(id)) return
    waking.add(id)
    registry
      .findActive(id)
      .then((sandbox) => {
        // The sandbox is expired, or another process deleted it.
        if (sandbox === null) registry.forget(id)
      })
      .catch((error: unknown) => {
        registry.postpone(id, now + RETRY_SECONDS)
        onError(error)
      })
      .finally(() => waking.delete(id))
  }

  let isStopped = false
  // Not awaited, so that the server accepts requests at once.
  const lookout = others
    ? null
    : findDeadlines(registry, { isStopped: () => isStopped, onError }).catch(onError)
  const ticker = startTicker(async () => startDue(), { everyMs: TICK_MS, onError })
  return {
    startDue,
    tick: async () => {
      await others?.look()
      await Promise.all([...registry.allOpen()].map(({ jobs }) => jobs.tick()))
    },
    async stop() {
      isStopped = true
      await Promise.all([ticker.stop(), lookout, others?.stop()])
    },
  }
}
