import type { ListenOutputRecord, ListenTarget } from '../../client/listen-records.ts'
import { runWithTimeout } from '../../client/timing.ts'
import { evictOldest } from '../../domain/core/evict-oldest.ts'
import { type Event, isEventEnabled } from '../../domain/events/events.ts'
import { ExpectationError } from '../errors/expectation-error.ts'
import { EXIT_CODES } from '../output/exit-codes.ts'
import { readNewestSequence } from '../request/recent-events.ts'
import { TERMINATION_EXIT_CODE } from '../serve/interrupts.ts'
import { type ListenStart, resendFromStart } from './listen-start.ts'
import { type ListenOptions, listen } from './listener.ts'

const MAX_WAITING_EVENTS = 10_000

/** Exit conditions of a listener. A null condition never applies. */
export interface ListenExitConditions {
  /** Number of events after which the listener ends. */
  readonly exitAfter: number | null
  /** Event types that end the listener. */
  readonly until: readonly string[] | null
}

export interface RunListenerOptions extends Omit<ListenOptions, 'signal' | 'after'> {
  /** The start position; null for new events only. */
  readonly since: ListenStart | null
  readonly goal: ListenExitConditions & { readonly maxWaitMs: number | null }
  /** Whether a failed delivery sets the exit code to 8. */
  readonly isFailureFatal: boolean
}

/** Runs a listener until its goal is reached, its maximum time has passed, or it is stopped. */
export function runListener(options: RunListenerOptions) {
  const { goal, onRecord } = options
  const hasGoal = goal.exitAfter !== null || goal.until !== null
  const stopping = new AbortController()
  let code: number | null = null
  let failures = 0
  const stop = (requested: number) => {
    code ??= options.isFailureFatal && failures > 0 ? EXIT_CODES.assertion : requested
    stopping.abort()
  }
  const track = createExitConditionTracker(goal, () => stop(EXIT_CODES.ok))
  const handleRecord = (record: ListenOutputRecord) => {
    // Events that arrive while the listener ends are omitted, but the results of running deliveries are not.
    if (code !== null && record.type === 'event') return
    if (record.type === 'delivery' && record.error !== null) failures += 1
    // Track the record before printing, because printing may throw.
    if (code === null) track(record)
    onRecord(record)
  }
  const ended = listenFromStart({ ...options, onRecord: handleRecord }, stopping).then(() => {
    if (code === null && hasGoal) throw goalTimeoutError(goal.maxWaitMs)
    stop(EXIT_CODES.ok)
    return code ?? EXIT_CODES.ok
  })
  return {
    /** Ends the listener with this exit code, or with 8 after a fatal failed delivery. */
    stop,
    /** The exit code after SIGTERM: an unreached goal is a failure. */
    terminationCode: hasGoal ? TERMINATION_EXIT_CODE : EXIT_CODES.ok,
    /** Resolves with the exit code. Rejects with ExpectationError when the goal was not reached in time. */
    ended,
  }
}

async function listenFromStart(options: RunListenerOptions, stopping: AbortController): Promise<void> {
  const { client, since, goal } = options
  const failed = Promise.withResolvers<never>()
  const until = since === null ? 0 : await readNewestSequence(client)
  const after = since === null || since === 'last' ? undefined : String(since.after)
  const run = (signal: AbortSignal) =>
    listen({
      ...options,
      after,
      signal,
      onReady(ready) {
        options.onReady?.(ready)
        if (since !== null) resendFromStart(client, since, ready.targets, until).catch(failed.reject)
      },
    })
  const { signal } = stopping
  const listened =
    goal.maxWaitMs === null
      ? run(signal)
      : runWithTimeout(goal.maxWaitMs, (limit) => run(AbortSignal.any([signal, limit])))
  try {
    await Promise.race([listened, failed.promise])
  } catch (error) {
    stopping.abort()
    await listened
    throw error
  }
}

function goalTimeoutError(maxWaitMs: number | null): ExpectationError {
  const limit = `${(maxWaitMs ?? 0) / 1000} s`
  return new ExpectationError('timeout', `--exit-after or --until was not reached within ${limit}.`)
}

/** Tracks records until the goal is reached. An event counts after a delivery attempt to every target with a matching event type. */
export function createExitConditionTracker(
  goal: ListenExitConditions,
  onReached: () => void,
): (record: ListenOutputRecord) => void {
  let targets: readonly ListenTarget[] = []
  let count = 0
  const waiting = new Map<string, { readonly type: string; readonly endpoints: Set<string> }>()

  function countEvent(type: string): void {
    count += 1
    if (count === goal.exitAfter || goal.until?.includes(type) === true) onReached()
  }

  function addEvent({ id, type }: Event): void {
    const wanting = targets.filter(({ enabled_events }) => isEventEnabled(type, enabled_events))
    if (wanting.length === 0) countEvent(type)
    else waiting.set(id, { type, endpoints: new Set(wanting.map((target) => target.webhook_endpoint)) })
    evictOldest(waiting, MAX_WAITING_EVENTS)
  }

  return (record) => {
    if (record.type === 'state') targets = record.targets
    if (record.type === 'event') addEvent(record.event)
    if (record.type !== 'delivery') return
    const event = waiting.get(record.event)
    event?.endpoints.delete(record.webhook_endpoint)
    if (event === undefined || event.endpoints.size > 0) return
    waiting.delete(record.event)
    countEvent(event.type)
  }
}
