import { events } from '../../api/operations/events.ts'
import type { Client } from '../../client/client.ts'
import { waitUnlessAborted } from '../../client/timing.ts'
import { toIsoTimestamp } from '../../domain/text/format-timestamp.ts'
import { getTimeAfterStep } from '../../domain/time/clock-steps.ts'
import type { TestClock } from '../../domain/time/test-clocks.ts'
import type { StatusLine } from '../output/progress.ts'
import type { AdvanceTargetParams } from '../parse/timestamp.ts'

const POLL_MS = 500

export type AdvanceRange = ReturnType<typeof computeAdvanceRange>

/** Returns the start and end of a planned advance, in Unix seconds. */
export function computeAdvanceRange(clock: TestClock, target: AdvanceTargetParams) {
  const to = 'by' in target ? getTimeAfterStep(clock, target.by) : target.frozen_time
  return { from: clock.frozen_time, to }
}

/** Formats the progress of an advance; `reached` is in Unix seconds and may lie outside the range. */
export function formatAdvanceProgress({ from, to }: AdvanceRange, reached: number): string {
  const at = Math.min(Math.max(reached, from), to)
  const percent = to > from ? Math.floor((100 * (at - from)) / (to - from)) : 100
  return `Advancing ${String(percent).padStart(3)} %  ${toIsoTimestamp(at)?.slice(0, 10) ?? ''}`
}

/** Returns the time of the newest event on a clock in Unix seconds; null for a clock without events. */
export async function readNewestEventTime(client: Client, clockId: string): Promise<number | null> {
  const { data } = await client.call(events.list, { test_clock: clockId, limit: 1 })
  return data[0]?.created ?? null
}

/** Waits for `work` and shows its progress, which `readProgress` returns, after every `wait` (default: 500 ms). */
export async function waitWithProgress<T>(
  work: Promise<T>,
  readProgress: () => Promise<string>,
  line: StatusLine,
  wait = (signal: AbortSignal) => waitUnlessAborted(POLL_MS, signal),
): Promise<T> {
  const ended = new AbortController()
  const end = () => ended.abort()
  work.then(end, end)
  while (!ended.signal.aborted) {
    // A failed read only skips one update.
    const text = await wait(ended.signal)
      .then(readProgress)
      .catch(() => null)
    if (text !== null && !ended.signal.aborted) line.show(text)
  }
  line.clear()
  return work
}
