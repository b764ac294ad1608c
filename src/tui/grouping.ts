import type { ListedEvent } from './event-feed.ts'

/** The groupings of the list, in the order in which the key selects them. */
export const GROUPINGS = ['none', 'object', 'request'] as const

export type Grouping = (typeof GROUPINGS)[number]

/**
 * Returns the group key of an event: its object, its request, or the second of its creation if no request caused the
 * event.
 */
export function getGroupKey({ event }: ListedEvent, grouping: Grouping): string {
  if (grouping === 'none') return ''
  if (grouping === 'object') return event.data.object.id
  return event.request?.id ?? `no request, ${event.created}`
}

/** Returns the rows with the groups next to each other, the group with the newest event last. */
export function sortRowsByGroup(rows: readonly ListedEvent[], grouping: Grouping): readonly ListedEvent[] {
  if (grouping === 'none') return rows
  const groups = new Map<string, ListedEvent[]>()
  for (const row of rows) {
    const key = getGroupKey(row, grouping)
    const group = groups.get(key) ?? []
    group.push(row)
    // A map keeps the order of insertion, so the group with the newest event moves to the end.
    groups.delete(key)
    groups.set(key, group)
  }
  return [...groups.values()].flat()
}
