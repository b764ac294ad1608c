import { pause } from '../../../client/pause.ts'
import { normaliseObservation } from '../compare/normalise.ts'
import type { RunOutcome } from '../model/run-record.ts'
import type { QuiescenceWatch } from './quiescence.ts'
import type { BackgroundObservation } from './run-outcome.ts'
import type { RunRecorder } from './run-recorder.ts'

export interface BackgroundWatchOptions {
  readonly quiescence: QuiescenceWatch
  readonly recorder: Pick<RunRecorder, 'activityCount'>
  readonly nowMs: () => number
  readonly signal: AbortSignal
}

/** Waits for work of the app that no request shows, such as a job after the response to a webhook. */
export interface BackgroundWatch {
  /** Waits a number of milliseconds, and then until the app is quiet again. */
  readonly settle: (ms: number) => Promise<void>
  /** Reads until nothing changes any more. Resolves with the last value, and the time until the last change. */
  readonly learn: <T extends BackgroundObservation>(read: () => Promise<T>) => Promise<StableObservation<T>>
  /** Reads until an outcome is expected, at most for a number of milliseconds. Resolves with the last outcome. */
  readonly waitUntilExpected: (
    read: () => Promise<RunOutcome>,
    isExpected: (outcome: RunOutcome) => boolean,
    timeoutMs: number,
  ) => Promise<RunOutcome>
}

export interface StableObservation<T> {
  readonly last: T
  /** Milliseconds from the first read to the last change; 0 if an observation changes all the time. */
  readonly settleMs: number
}

/** The time without a change after which a run without faults ends. */
const STABLE_MS = 1500
/** An observation that still changes after this time does so for another reason, such as a timestamp in it. */
const MAX_LEARNING_MS = 10_000
const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 400

/** Creates the watch of a run. */
export function createBackgroundWatch(options: BackgroundWatchOptions): BackgroundWatch {
  const { quiescence, recorder, nowMs, signal } = options

  async function settle(ms: number): Promise<void> {
    const before = recorder.activityCount()
    if (ms > 0) await pause(ms, signal)
    if (recorder.activityCount() !== before) await quiescence.waitUntilQuiet()
  }

  return {
    settle,
    async learn(read) {
      const startedMs = nowMs()
      let last = await read()
      let changedMs = startedMs
      let pauseMs = FIRST_PAUSE_MS
      while (nowMs() - changedMs < STABLE_MS) {
        if (nowMs() - startedMs > MAX_LEARNING_MS) return { last, settleMs: 0 }
        await settle(pauseMs)
        const next = await read()
        const isChanged = toKey(next) !== toKey(last)
        if (isChanged) changedMs = nowMs()
        pauseMs = isChanged ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, MAX_PAUSE_MS)
        last = next
      }
      return { last, settleMs: changedMs - startedMs }
    },
    async waitUntilExpected(read, isExpected, timeoutMs) {
      const startedMs = nowMs()
      let outcome = await read()
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
        if (isExpected(outcome) || nowMs() - startedMs >= timeoutMs) return outcome
        await settle(pauseMs)
        outcome = await read()
      }
    },
  }
}

// Normalised, because a value that always changes, such as a timestamp, is no sign of background work.
function toKey({ observation, objects }: BackgroundObservation): string {
  return JSON.stringify([normaliseObservation(observation ?? '').value, objects])
}
