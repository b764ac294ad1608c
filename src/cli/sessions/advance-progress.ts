import { events } from '../../api/operations/events.ts'
import type { Client } from '../../client/client.ts'
import { pause } from '../../client/pause.ts'
import { isoOf } from '../../domain/moment-text.ts'
import { type TestClock, timeAfter } from '../../domain/test-clocks.ts'
import type { StatusLine } from '../output/progress.ts'
import type { Destination } from '../parse/spans.ts'

const LOOK_EVERY_MS = 500

/** The way of a clock, in Unix seconds. */
export interface Way {
  readonly from: number
  readonly to: number
}

/** The way a clock is about to go. */
export function wayOf(clock: TestClock, destination: Destination): Way {
  const to = 'by' in destination ? timeAfter(clock, destination.by) : destination.frozen_time
  return { from: clock.frozen_time, to }
}

/** How far time has come between two moments, in words; `reached` may be of before the way began. */
export function progressText({ from, to }: Way, reached: number): string {
  const at = Math.min(Math.max(reached, from), to)
  const percent = to > from ? Math.floor((100 * (at - from)) / (to - from)) : 100
  return `Advancing ${String(percent).padStart(3)} %  ${isoOf(at)?.slice(0, 10) ?? ''}`
}

/** What the newest event on a clock says of how far its time has come, in Unix seconds; null when nothing happened yet. */
export async function reachedOn(client: Client, clockId: string): Promise<number | null> {
  const { data } = await client.call(events.list, { test_clock: clockId, limit: 1 })
  return data[0]?.created ?? null
}

/** What is shown while something takes its time. */
export interface Watch {
  /** What to show now; looking in vain does no harm. */
  readonly look: () => Promise<string>
  readonly line: StatusLine
  /** Resolves when it is time to look again; half a second unless given. */
  readonly wait?: (signal: AbortSignal) => Promise<void>
}

/** Waits for work and shows meanwhile, every now and then, how far it is. */
export async function showWhile<T>(work: Promise<T>, { look, line, wait = nextLook }: Watch): Promise<T> {
  const ended = new AbortController()
  const end = () => ended.abort()
  work.then(end, end)
  while (!ended.signal.aborted) {
    const text = await wait(ended.signal)
      .then(look)
      .catch(() => null)
    if (text !== null && !ended.signal.aborted) line.show(text)
  }
  line.clear()
  return work
}

function nextLook(signal: AbortSignal): Promise<void> {
  return pause(LOOK_EVERY_MS, signal)
}
