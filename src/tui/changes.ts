import { isFields } from '../client/fields.ts'
import type { Feed, Row } from './model.ts'

/** A field that two states of an object differ in; undefined where it is not there. */
export interface FieldChange {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** How the object of an event differs from what it was: by the previous event about it, else by what this one says. */
export function changesOf({ rows }: Feed, row: Row): readonly FieldChange[] {
  const { object, previous_attributes } = row.event.data
  const former = rows.findLast((one) => one.place < row.place && one.event.data.object.id === object.id)
  const told = previous_attributes === undefined ? {} : { ...object, ...previous_attributes }
  return differences(former?.event.data.object ?? told, object)
}

function differences(before: object, after: object): FieldChange[] {
  const [old, now] = [new Map(leavesOf(before, '')), new Map(leavesOf(after, ''))]
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}

function leavesOf(value: unknown, path: string): [path: string, leaf: unknown][] {
  const isInner = (isFields(value) || Array.isArray(value)) && Object.keys(Object(value)).length > 0
  // What holds nothing at all, as the object before its creation, differs by what is there afterwards.
  if (!isInner) return path === '' ? [] : [[path, value]]
  const inner = Object.entries(Object(value))
  return inner.flatMap(([name, one]) => leavesOf(one, path === '' ? name : `${path}.${name}`))
}
