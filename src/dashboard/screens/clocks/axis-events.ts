import type { Event } from '../../../domain/events/events.ts'

/** The fields of an object of an event, which depend on its type. */
export type ObjectFields = Readonly<Record<string, unknown>>

/** An event on the time axis: one that occurred, or a projected one. */
export interface AxisEvent {
  readonly key: string
  readonly type: string
  /** Unix seconds. */
  readonly created: number
  readonly object: ObjectFields
  readonly isProjected: boolean
}

/** A future event in the response of `GET /v1/projections`. */
interface ProjectedEvent {
  readonly object: 'projected_event'
  readonly type: string
  readonly created: number
  readonly data: Pick<Event['data'], 'object'>
}

/** The response of `GET /v1/projections`. */
export interface Projection {
  readonly object: 'projection'
  readonly from: number
  readonly until: number
  readonly data: readonly ProjectedEvent[]
  readonly has_more: boolean
}

/** Returns events for the axis. */
export function toAxisEvents(events: readonly Event[]): AxisEvent[] {
  return events.map(({ id, type, created, data }) => ({
    ...{ key: id, type, created },
    object: { ...data.object },
    isProjected: false,
  }))
}

/** Returns the projected events for the axis. */
export function toProjectedEvents({ data }: Projection): AxisEvent[] {
  return data.map(({ type, created, data: { object } }, index) => ({
    ...{ key: `projected-${index + 1}`, type, created },
    object: { ...object },
    isProjected: true,
  }))
}

/** Adds events of the stream to events that were read before; both in the order of their sequence. */
export function mergeEvents(read: readonly Event[], streamed: readonly Event[]): readonly Event[] {
  const newest = read.at(-1)?.sequence ?? 0
  const added = streamed.filter(({ sequence }) => sequence > newest)
  return added.length === 0 ? read : [...read, ...added]
}

/** Returns a field of an object that is a text; null without it. */
export function textField(object: ObjectFields, name: string): string | null {
  const value = object[name]
  return typeof value === 'string' ? value : null
}

/** Returns a field of an object that is an integer; null without it. */
export function integerField(object: ObjectFields, name: string): number | null {
  const value = object[name]
  return Number.isSafeInteger(value) ? Number(value) : null
}
