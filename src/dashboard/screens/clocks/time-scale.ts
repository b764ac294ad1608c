import { type CalendarDuration, getTimeAfterStep } from '../../../domain/time/clock-steps.ts'

/** The visible part of the axis in Unix seconds, and its width in pixels. */
export interface TimeScale {
  readonly start: number
  readonly end: number
  readonly width: number
}

const HOUR_SECONDS = 3600
/** A day in seconds. */
export const DAY_SECONDS = 24 * HOUR_SECONDS

/** Returns a time after a duration; a month after 31 January is the last day of February. */
export function addDuration(at: number, duration: CalendarDuration): number {
  return getTimeAfterStep({ frozen_time: at, month_steps_start: null }, duration)
}

/** The length of the visible window at each zoom level, in seconds; `fit` shows all events. */
const ZOOM_LENGTHS = { day: DAY_SECONDS, month: 31 * DAY_SECONDS, year: 366 * DAY_SECONDS } as const
/** The zoom levels, widest first. */
export const ZOOM_LEVELS = ['fit', 'year', 'month', 'day'] as const
export type ZoomLevel = (typeof ZOOM_LEVELS)[number]

/** The position of the current time in a window with a selected zoom level, as a share of the length. */
const NOW_PART = 0.35
/** Free space at both ends when all events are shown, as a share of the length. */
const PADDING = 0.04
const MIN_FUTURE = 35 * DAY_SECONDS

export interface VisibleWindowOptions {
  readonly zoom: ZoomLevel
  /** The current time of the clock. */
  readonly now: number
  /** The selected target; equal to `now` if no target is selected. */
  readonly target: number
  /** The time of the first event; null without events. */
  readonly first: number | null
  /** The time of the first projected event; null without a projected event. */
  readonly next: number | null
  /** The start of the window to which the user scrolled; null for the window around the current time. */
  readonly from: number | null
}

/**
 * Returns the part of the axis to show, in Unix seconds. A target near or after the end moves the window to a later
 * time.
 */
export function getVisibleWindow(options: VisibleWindowOptions): {
  readonly start: number
  readonly end: number
} {
  const { zoom, now, target, from } = options
  if (zoom === 'fit') return fitWindow(options)
  const length = ZOOM_LENGTHS[zoom]
  const start = from ?? now - NOW_PART * length
  const overshoot = target > now ? Math.max(0, target - (start + 0.85 * length)) : 0
  return { start: Math.round(start + overshoot), end: Math.round(start + overshoot + length) }
}

// The future gets at least as much space as the past, and enough space for the next event.
function fitWindow({ now, target, first, next }: VisibleWindowOptions) {
  const past = now - Math.min(first ?? now, now)
  const untilNext = next === null ? 0 : (next - now) * 1.25
  const end = Math.max(now + Math.max(past, untilNext, MIN_FUTURE), target)
  const start = now - past
  const padding = (end - start) * PADDING
  return { start: Math.round(start - padding), end: Math.round(end + padding) }
}

/** Returns the position of a time in pixels. */
export function getXOfTime(at: number, { start, end, width }: TimeScale): number {
  return ((at - start) / (end - start)) * width
}

/** Pixels within which the handle snaps to an event. */
const SNAP_PIXELS = 9

/** Returns the time to which a handle at `x` snaps: an event nearby, else a whole number of days or hours after now. */
export function snapTime(
  x: number,
  scale: TimeScale,
  { now, events }: { readonly now: number; readonly events: readonly number[] },
): number {
  const near = events
    .filter((at) => at > now && Math.abs(getXOfTime(at, scale) - x) <= SNAP_PIXELS)
    .toSorted((a, b) => Math.abs(getXOfTime(a, scale) - x) - Math.abs(getXOfTime(b, scale) - x))
  if (near[0] !== undefined) return near[0]
  const secondsPerPixel = (scale.end - scale.start) / scale.width
  const step = secondsPerPixel > HOUR_SECONDS / 4 ? DAY_SECONDS : HOUR_SECONDS
  return now + Math.max(0, Math.round((scale.start + x * secondsPerPixel - now) / step)) * step
}

/** The intervals between ticks, shortest first. */
const STEPS: readonly CalendarDuration[] = [
  ...[1, 3, 6, 12].map((count) => ({ interval: 'hour', count }) as const),
  ...[1, 2, 7, 14].map((count) => ({ interval: 'day', count }) as const),
  ...[1, 2, 3, 6].map((count) => ({ interval: 'month', count }) as const),
  ...[1, 2, 5].map((count) => ({ interval: 'year', count }) as const),
]

/** Minimum distance between two ticks in pixels, so that their labels do not overlap. */
const MIN_TICK_GAP = 88

/** Returns the ticks of the visible window at round times (UTC). */
export function listAxisTicks(scale: TimeScale) {
  const { start, end, width } = scale
  if (width <= 0) return []
  const gap = width / Math.max(1, Math.floor(width / MIN_TICK_GAP))
  const isWide = (step: CalendarDuration) => getXOfTime(addDuration(start, step), scale) >= gap
  const step = STEPS.find(isWide) ?? { interval: 'year', count: 5 }
  const first = firstTick(start, step)
  const ticks: { at: number; label: string }[] = []
  for (let at = first, index = 1; at <= end; index += 1) {
    if (at >= start) ticks.push({ at, label: tickLabel(at, step) })
    at = addDuration(first, { interval: step.interval, count: index * step.count })
  }
  return ticks
}

function firstTick(start: number, { interval, count }: CalendarDuration): number {
  const date = new Date(start * 1000)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  if (interval === 'year') return Date.UTC(year - (year % count), 0) / 1000
  if (interval === 'month') return Date.UTC(year, month - (month % count)) / 1000
  const seconds = count * (interval === 'hour' ? HOUR_SECONDS : DAY_SECONDS)
  return Math.floor(start / seconds) * seconds
}

function tickLabel(at: number, { interval }: CalendarDuration): string {
  const text = new Date(at * 1000).toISOString()
  if (interval === 'year') return text.slice(0, 4)
  if (interval === 'month') return text.slice(0, 7)
  const isMidnight = at % DAY_SECONDS === 0
  return interval === 'day' || isMidnight ? text.slice(0, 10) : text.slice(11, 16)
}
