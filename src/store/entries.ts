import type { Stored } from '../domain/changes.ts'
import { Ordered } from './ordered.ts'

/** A record with its place in the lists; `created` is NaN for records that are never listed. */
export interface Entry {
  record: Stored
  created: number
  readonly order: number
  /** Number of the transaction that changed it last; 0 when it was loaded. */
  stamp: number
}

/** The records of one value of a filter. Most values have a single one, which needs no list: 40 % less memory. */
export type Group = Entry | Ordered<Entry>

/** The order of lists: by `created`, then in which they came. */
export const byAge = (a: Entry, b: Entry) => a.created - b.created || a.order - b.order

/** Adds an entry to the group of a value. */
export function addToGroup(groups: Map<string, Group>, value: string, entry: Entry): void {
  const group = groups.get(value)
  if (group === undefined) groups.set(value, entry)
  else if (group instanceof Ordered) group.insert(entry)
  else groups.set(value, startList([group, entry]))
}

/** Takes an entry out of the group of a value, and the group away when nothing is left of it. */
export function removeFromGroup(groups: Map<string, Group>, value: string, entry: Entry): void {
  const group = groups.get(value)
  if (group instanceof Ordered) group.remove(entry)
  if (group === entry || (group instanceof Ordered && group.size === 0)) groups.delete(value)
}

/** The entries of a group as a list. */
export function listOfGroup(group: Group): Ordered<Entry> {
  return group instanceof Ordered ? group : startList([group])
}

/** Whether an entry is in a group; false when there is none. */
export function isInGroup(group: Group | undefined, entry: Entry): boolean {
  return group instanceof Ordered ? group.has(entry) : group === entry
}

function startList(entries: readonly Entry[]): Ordered<Entry> {
  const list = new Ordered(byAge)
  for (const entry of entries) list.insert(entry)
  return list
}
