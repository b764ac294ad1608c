import type { EventOutcome } from '../../../domain/core/event-types.ts'
import { combineOutcomes, outcomeOf } from '../../../presentation/event-outcomes.ts'
import type { AxisEvent } from './axis-events.ts'
import { positionOf, type TimeScale } from './time-scale.ts'

/** The events of one time. */
export interface TimeGroup {
  readonly key: string
  /** Unix seconds. */
  readonly at: number
  readonly events: readonly AxisEvent[]
  readonly outcome: EventOutcome
  readonly isProjected: boolean
}

/** A dot on the axis: one or more groups that are too close to be drawn apart. */
export interface Mark {
  readonly key: string
  /** Position in pixels. */
  readonly x: number
  readonly groups: readonly TimeGroup[]
  readonly outcome: EventOutcome
  readonly isProjected: boolean
}

/** Returns events of the same time as one group, sorted by time. Occurred and projected events are never in one group. */
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
    outcome: combineOutcomes(events.map(({ type }) => outcomeOf(type))),
    isProjected: first?.isProjected ?? false,
  }
}

/** Returns the dots of groups in the visible window. Groups within `minGap` pixels of the first of a dot become one dot. */
export function placeMarks(groups: readonly TimeGroup[], scale: TimeScale, minGap: number): Mark[] {
  const visible = groups.filter(({ at }) => at >= scale.start && at <= scale.end)
  const runs: TimeGroup[][] = []
  let first: { x: number; isProjected: boolean } | null = null
  for (const group of visible) {
    const x = positionOf(group.at, scale)
    const isClose = first !== null && x - first.x < minGap && first.isProjected === group.isProjected
    if (isClose) runs.at(-1)?.push(group)
    else {
      runs.push([group])
      first = { x, isProjected: group.isProjected }
    }
  }
  return runs.map((run) => toMark(run, scale))
}

function toMark(groups: readonly TimeGroup[], scale: TimeScale): Mark {
  const xs = groups.map(({ at }) => positionOf(at, scale))
  const [first] = groups
  return {
    key: first?.key ?? '',
    x: ((xs[0] ?? 0) + (xs.at(-1) ?? 0)) / 2,
    groups,
    outcome: combineOutcomes(groups.map(({ outcome }) => outcome)),
    isProjected: first?.isProjected ?? false,
  }
}
