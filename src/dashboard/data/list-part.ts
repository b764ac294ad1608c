/** An entry of a list, or an object in an entry. */
export interface WithId {
  readonly id: string
}

/** The newest objects of a list that were read. */
export interface ListPart<T> {
  readonly items: readonly T[]
  /** The id of the newest entry; null for a list without entries. */
  readonly newest: string | null
  /** The position after the part; null at the end of the list. */
  readonly next: string | null
}

/** A part before anything is read. */
export const EMPTY_PART: ListPart<never> = { items: [], newest: null, next: null }

/** Returns the part, extended by the next older objects of the list. */
export function addOlder<T extends WithId>(known: ListPart<T>, older: ListPart<T>): ListPart<T> {
  return { ...known, items: mergeItems(known.items, older.items), next: older.next }
}

/**
 * Returns the part with its newest objects replaced by those that were read again. Older objects are kept, unless there
 * is a gap between them and the new ones.
 */
export function replaceNewest<T extends WithId>(known: ListPart<T>, newest: ListPart<T>): ListPart<T> {
  const last = newest.items.at(-1)
  const at = known.items.findIndex(({ id }) => id === last?.id)
  if (at === -1 || newest.next === null) return newest
  const older = known.items.slice(at + 1)
  const next = older.length === 0 ? newest.next : known.next
  return { ...newest, items: mergeItems(newest.items, older), next }
}

/**
 * Returns the part with the objects of new entries before it; an object may have several entries. Without `isConnected`
 * there is a gap, so the next page starts after the new entries.
 */
export function addNewer<T extends WithId>(
  known: ListPart<T>,
  newer: ListPart<T>,
  isConnected: boolean,
): ListPart<T> {
  const items = mergeItems(newer.items, known.items)
  return { ...newer, items, next: isConnected ? known.next : newer.next }
}

/** Returns all objects once, each in the state and at the place of its first occurrence. */
export function mergeItems<T extends WithId>(...lists: readonly (readonly T[])[]): T[] {
  const found = new Map<string, T>()
  for (const item of lists.flat()) if (!found.has(item.id)) found.set(item.id, item)
  return [...found.values()]
}
