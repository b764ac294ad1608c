import type { JsonObject } from '../../../domain/core/json-object.ts'
import { type AxisEvent, findTextField } from './axis-events.ts'
import { groupByTime, type TimeGroup } from './marks.ts'

/** A row of the axis: the events of one subscription, or all events that belong to no subscription. */
export interface Lane {
  /** The id of the subscription; null for events without a subscription, `MERGED_LANE_ID` for several subscriptions. */
  readonly id: string | null
  /** The newest version of the subscription; null for events without a subscription and for several subscriptions. */
  readonly subscription: JsonObject | null
  /** The email address of the customer; null if it is unknown. */
  readonly email: string | null
  readonly events: readonly AxisEvent[]
  /** The number of subscriptions in the lane. */
  readonly count: number
}

/** The id of the lane that shows several subscriptions. */
export const MERGED_LANE_ID = 'more'

/** The fields that contain the id of the owner of an object. */
const OWNER_FIELDS = ['subscription', 'invoice', 'checkout_session', 'payment']
const MAX_DEPTH = 4

/**
 * Groups the events by subscription, in the order in which the subscriptions first appear; the last lane has the events
 * without a subscription. `emails` contains the email addresses of customers by id.
 */
export function groupByLane(
  events: readonly AxisEvent[],
  emails: ReadonlyMap<string | null, string> = new Map(),
): Lane[] {
  const owners = readOwners(events)
  const newest = collectNewestSubscriptions(events)
  const lanes = Map.groupBy(events, ({ object }) =>
    findSubscription(findTextField(object, 'id') ?? '', owners),
  )
  const all = [...lanes].map(([id, own]): Lane => {
    const subscription = newest.get(id ?? '') ?? null
    const email = emails.get(findTextField(subscription ?? {}, 'customer')) ?? null
    return { id, subscription, email, events: own, count: id === null ? 0 : 1 }
  })
  return [...all.filter(({ id }) => id !== null), ...all.filter(({ id }) => id === null)]
}

/** Returns the name of the subscription of a lane: its description, otherwise its id. */
export function formatLaneTitle({ id, subscription }: Pick<Lane, 'id' | 'subscription'>): string {
  return findTextField(subscription ?? {}, 'description') ?? id ?? ''
}

/** Merges the subscriptions after the first `max` into one lane. */
export function collapseLanes(lanes: readonly Lane[], max: number): Lane[] {
  const own = lanes.filter(({ id }) => id !== null)
  if (own.length <= max) return [...lanes]
  const hidden = own.slice(max)
  const events = hidden.flatMap((lane) => lane.events).toSorted((a, b) => a.created - b.created)
  const more: Lane = { id: MERGED_LANE_ID, subscription: null, email: null, events, count: hidden.length }
  return [...own.slice(0, max), more, ...lanes.filter(({ id }) => id === null)]
}

/**
 * Returns the newest version of every subscription, by id. A projected version is used only if no past event has the
 * subscription.
 */
export function collectNewestSubscriptions(events: readonly AxisEvent[]): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>()
  for (const { object, isProjected } of events) {
    const id = findTextField(object, 'id')
    if (object['object'] === 'subscription' && id !== null && !(isProjected && found.has(id)))
      found.set(id, object)
  }
  return found
}

/** The ids of the objects to which each object belongs, by object id. */
type Owners = ReadonlyMap<string, ReadonlySet<string>>

function readOwners(events: readonly AxisEvent[]): Owners {
  const owners = new Map<string, Set<string>>()
  for (const { object } of events) {
    const id = findTextField(object, 'id') ?? ''
    const named = OWNER_FIELDS.flatMap((field) => findTextField(object, field) ?? [])
    owners.set(id, new Set([...(owners.get(id) ?? []), ...named]))
  }
  return owners
}

function findSubscription(id: string, owners: Owners, depth = 0): string | null {
  if (id.startsWith('sub_')) return id
  if (depth === MAX_DEPTH) return null
  for (const owner of owners.get(id) ?? []) {
    const found = findSubscription(owner, owners, depth + 1)
    if (found !== null) return found
  }
  return null
}

/** Returns the groups of all lanes, each with its lane, sorted by time. */
export function listLaneTimeGroups(lanes: readonly Lane[]): LaneTimeGroup[] {
  return lanes
    .flatMap((lane) => groupByTime(lane.events).map((group) => ({ ...group, lane })))
    .toSorted((a, b) => a.at - b.at)
}

/** The events of one lane at one time of a test clock. */
export interface LaneTimeGroup extends TimeGroup {
  readonly lane: Lane
}
