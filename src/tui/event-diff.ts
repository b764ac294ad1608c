import { isJsonObject } from '../client/json-object.ts'
import type { EventFeed, EventRow } from './event-feed.ts'

/** A field that differs between two states of an object; a missing value is undefined. */
export interface FieldDiff {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** Compares an event's object with the object's previous event, or with the event's `previous_attributes`. */
export function diffEvent({ rows }: EventFeed, row: EventRow): readonly FieldDiff[] {
  const { object, previous_attributes } = row.event.data
  const previous = rows.findLast(
    (one) => one.position < row.position && one.event.data.object.id === object.id,
  )
  const own = previous_attributes === undefined ? {} : { ...object, ...previous_attributes }
  return diffObjects(previous?.event.data.object ?? own, object)
}

function diffObjects(before: object, after: object): FieldDiff[] {
  const [old, now] = [new Map(leavesOf(before, '')), new Map(leavesOf(after, ''))]
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }))
    .filter((diff) => JSON.stringify(diff.before) !== JSON.stringify(diff.after))
}

function leavesOf(value: unknown, path: string): [path: string, leaf: unknown][] {
  const isInner = (isJsonObject(value) || Array.isArray(value)) && Object.keys(Object(value)).length > 0
  // The empty object that stands for "not created yet" has no leaves.
  if (!isInner) return path === '' ? [] : [[path, value]]
  const inner = Object.entries(Object(value))
  return inner.flatMap(([name, one]) => leavesOf(one, path === '' ? name : `${path}.${name}`))
}
