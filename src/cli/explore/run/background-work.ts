import { waitUnlessAborted } from '../../../client/timing.ts'
import { toCanonicalJson } from '../../../domain/text/canonical-json.ts'
import { normaliseObservation } from '../compare/normalise.ts'
import type { RunOutcome } from '../model/run-record.ts'
import type { ScenarioRun } from './run-context.ts'

/** The part of an outcome that may change while the app works in the background. */
export type ObservedOutcome = Pick<RunOutcome, 'observation' | 'objects'>

/** The time without a change after which a run without faults ends. */
const STABLE_MS = 1500
/**
 * Maximum time for background work. If the observation still changes then, it probably contains a value such as a
 * timestamp.
 */
const MAX_LEARNING_MS = 10_000
const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 400

/**
 * Waits `ms` milliseconds for work without requests, such as a job. If the app was active meanwhile, waits until the
 * app is quiet.
 */
export async function waitForBackgroundWork(
  { quiescence, recorder, signal }: ScenarioRun,
  ms: number,
): Promise<void> {
  const before = recorder.activityCount()
  if (ms > 0) await waitUnlessAborted(ms, signal)
  if (recorder.activityCount() !== before) await quiescence.waitUntilQuiet()
}

/**
 * Reads an outcome until it has not changed for 1.5 s. Resolves with the last outcome and the milliseconds from the
 * start to the last change; 0 if the outcome still changes after 10 s.
 */
export async function readUntilStable<T extends ObservedOutcome>(
  run: ScenarioRun,
  read: () => Promise<T>,
): Promise<{ readonly last: T; readonly settleMs: number }> {
  const startedMs = run.nowMs()
  let last = await read()
  let changedMs = startedMs
  let pauseMs = FIRST_PAUSE_MS
  while (run.nowMs() - changedMs < STABLE_MS) {
    if (run.nowMs() - startedMs > MAX_LEARNING_MS) return { last, settleMs: 0 }
    await waitForBackgroundWork(run, pauseMs)
    const next = await read()
    const isChanged = toKey(next) !== toKey(last)
    if (isChanged) changedMs = run.nowMs()
    pauseMs = isChanged ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, MAX_PAUSE_MS)
    last = next
  }
  return { last, settleMs: changedMs - startedMs }
}

// A value that always changes, such as a timestamp, or a different order of fields is not a sign of background work.
function toKey({ observation, objects }: ObservedOutcome): string {
  return toCanonicalJson([normaliseObservation(observation ?? '').value, objects])
}

/** Reads outcomes until one is expected, or until the timeout has elapsed. Resolves with the last outcome. */
export async function readUntilExpected(
  run: ScenarioRun,
  read: () => Promise<RunOutcome>,
  isExpected: (outcome: RunOutcome) => boolean,
  timeoutMs: number,
): Promise<RunOutcome> {
  const startedMs = run.nowMs()
  let outcome = await read()
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    if (isExpected(outcome) || run.nowMs() - startedMs >= timeoutMs) return outcome
    await waitForBackgroundWork(run, pauseMs)
    outcome = await read()
  }
}
