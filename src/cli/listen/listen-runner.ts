import type { ListenRecord } from '../../client/listen-records.ts'
import { withinMs } from '../../client/pause.ts'
import { Unmet } from '../errors/expectation-error.ts'
import { EXIT_CODES } from '../output/exit-codes.ts'
import { newestSequence } from '../request/newest-event.ts'
import { EXIT_AFTER_TERMINATION } from '../serve/interrupts.ts'
import { createGoalWatch, type Goal } from './listen-goal.ts'
import { resendSince, type Since } from './listen-since.ts'
import { type ListenerOptions, listen } from './listener.ts'

export interface ListenRun extends Omit<ListenerOptions, 'signal' | 'listening'> {
  readonly listening: Omit<ListenerOptions['listening'], 'after'>
  /** Where to begin; null for what comes. */
  readonly since: Since | null
  readonly goal: Goal & { readonly maxWaitMs: number | null }
  /** Whether a failed delivery makes the exit code 8. */
  readonly isFailureFatal: boolean
}

/** A listener at work. */
export interface Running {
  /** Ends it with this exit code, or with 8 if a delivery failed and that matters. */
  readonly stop: (code: number) => void
  /** The exit code for a request to end: a goal that was not reached is no success. */
  readonly whenTerminated: number
  /** Resolves with the exit code; rejects with Unmet when the goal was not reached in time. */
  readonly ended: Promise<number>
}

/** Listens until the goal is reached, the time is up or somebody stops it. */
export function runListener(run: ListenRun): Running {
  const { goal, onRecord } = run
  const hasGoal = goal.exitAfter !== null || goal.until !== null
  const stopping = new AbortController()
  let code: number | null = null
  let failures = 0
  const stop = (given: number) => {
    code ??= run.isFailureFatal && failures > 0 ? EXIT_CODES.assertion : given
    stopping.abort()
  }
  const watch = createGoalWatch(goal, () => stop(EXIT_CODES.ok))
  const tell = (record: ListenRecord) => {
    if (record.type === 'delivery' && record.error !== null) failures += 1
    // What counts does not depend on whether it can be printed.
    if (code === null) watch(record)
    onRecord(record)
  }
  const listened = listenFrom({ ...run, onRecord: tell }, stopping).then(() => {
    if (code === null && hasGoal) throw tooLate(goal.maxWaitMs)
    stop(EXIT_CODES.ok)
    return code ?? EXIT_CODES.ok
  })
  return { stop, whenTerminated: hasGoal ? EXIT_AFTER_TERMINATION : EXIT_CODES.ok, ended: listened }
}

// Resolves when it was stopped, or when its time is up.
async function listenFrom(run: ListenRun, stopping: AbortController): Promise<void> {
  const { client, since, goal } = run
  const failed = Promise.withResolvers<never>()
  const until = since === null ? 0 : await newestSequence(client)
  const after = since === null || since === 'last' ? undefined : String(since.after)
  const work = (signal: AbortSignal) =>
    listen({
      ...run,
      listening: { ...run.listening, after },
      signal,
      onReady(ready) {
        run.onReady?.(ready)
        const { targets } = ready
        if (since !== null) resendSince(client, since, { targets, until }).catch(failed.reject)
      },
    })
  const { signal } = stopping
  const listened =
    goal.maxWaitMs === null
      ? work(signal)
      : withinMs(goal.maxWaitMs, (limit) => work(AbortSignal.any([signal, limit])))
  try {
    await Promise.race([listened, failed.promise])
  } catch (error) {
    stopping.abort()
    await listened
    throw error
  }
}

function tooLate(maxWaitMs: number | null): Unmet {
  const limit = `${(maxWaitMs ?? 0) / 1000} s`
  return new Unmet('timeout', `What --exit-after or --until waits for did not come within ${limit}.`)
}
