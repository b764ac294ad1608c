import type { EventOutcome } from '../../../domain/core/event-types.ts'
import { combineOutcomes, getEventTypeOutcome } from '../../../presentation/event-outcomes.ts'
import { getEventObjectSummary } from '../../../presentation/event-summary.ts'
import { formatDateTime } from '../../format/format-time.ts'
import type { AxisEvent } from './axis-events.ts'
import { selectHeadlineEvents } from './event-headlines.ts'
import { getXOfTime, type TimeScale } from './time-scale.ts'

/** The events at one time of a test clock. */
export interface TimeGroup {
  readonly key: string
  /** The time of the events in Unix seconds. */
  readonly at: number
  readonly events: readonly AxisEvent[]
  readonly outcome: EventOutcome
  readonly isProjected: boolean
}

/** A dot on the axis: one or more groups that are too close for separate dots. */
export interface AxisMark extends Pick<TimeGroup, 'key' | 'outcome' | 'isProjected'> {
  /** Position in pixels. */
  readonly x: number
  readonly groups: readonly TimeGroup[]
}

/** Groups events by time; the groups are sorted by time. Past and projected events are never in one group. */
export function groupByTime(events: readonly AxisEvent[]): TimeGroup[] {
  const groups = Map.groupBy(events, ({ isProjected, created }) => `${isProjected}-${created}`)
  return [...groups.values()].map(toGroup).toSorted((a, b) => a.at - b.at)
}

function toGroup(events: readonly AxisEvent[]): TimeGroup {
  const [first] = events
  return {
    key: first?.key ?? '',
    at: first?.created ?? 0,
    events,
    outcome: combineOutcomes(events.map(({ type }) => getEventTypeOutcome(type))),
    isProjected: first?.isProjected ?? false,
  }
}

/** Returns the dots of groups in the visible window. Groups within `minGap` pixels of the first group share its dot. */
export function placeMarks(groups: readonly TimeGroup[], scale: TimeScale, minGap: number): AxisMark[] {
  const visible = groups.filter(({ at }) => at >= scale.start && at <= scale.end)
  const runs: TimeGroup[][] = []
  for (const group of visible) {
    const [first] = runs.at(-1) ?? []
    const distance = getXOfTime(group.at, scale) - getXOfTime(first?.at ?? 0, scale)
    if (first?.isProjected === group.isProjected && distance < minGap) runs.at(-1)?.push(group)
    else runs.push([group])
  }
  return runs.map((run) => toMark(run, scale))
}

function toMark(groups: readonly TimeGroup[], scale: TimeScale): AxisMark {
  const xs = groups.map(({ at }) => getXOfTime(at, scale))
  const [first] = groups
  return {
    key: first?.key ?? '',
    x: ((xs[0] ?? 0) + (xs.at(-1) ?? 0)) / 2,
    groups,
    outcome: combineOutcomes(groups.map(({ outcome }) => outcome)),
    isProjected: first?.isProjected ?? false,
  }
}

/** Returns the accessible name of a dot. */
export function formatMarkLabel({ groups, isProjected }: AxisMark): string {
  const kind = isProjected ? 'projected' : 'past'
  const [first] = groups
  const last = groups.at(-1)
  if (first === undefined || last === undefined) return ''
  if (groups.length === 1) return `${formatDateTime(first.at)}, ${kind}: ${groupText(first)}`
  return `${formatDateTime(first.at)} to ${formatDateTime(last.at)}, ${groups.length} ${kind} times, the last: ${groupText(last)}`
}

/** Describes the events at one time, such as `subscription.renewed, invoice.paid 12.00 EUR, 4 more`. */
function groupText({ events }: TimeGroup): string {
  const headline = selectHeadlineEvents(events)
  const rest = events.length - headline.length
  return [...headline.map(eventText), ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
}

function eventText({ type, object }: AxisEvent): string {
  const { amount } = getEventObjectSummary({ data: { object } })
  return amount === null ? type : `${type} ${amount}`
}
