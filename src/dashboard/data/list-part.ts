interface Listed {
  readonly id: string
}

/** The newest objects of a list, and the position after them; null at the end of the list. */
export interface ListPart<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

/** Returns the part with the next objects of the list after it. */
export function addOlder<T extends Listed>(known: ListPart<T>, older: ListPart<T>): ListPart<T> {
  return { items: mergeItems(known.items, older.items), next: older.next }
}

/**
 * Returns the part with its newest objects replaced by those that were read again. Older objects are kept, unless the new ones
 * do not reach them.
 */
export function replaceNewest<T extends Listed>(known: ListPart<T>, newest: ListPart<T>): ListPart<T> {
  const last = newest.items.at(-1)
  const at = known.items.findIndex(({ id }) => id === last?.id)
  if (at === -1 || newest.next === null) return newest
  const older = known.items.slice(at + 1)
  return { items: mergeItems(newest.items, older), next: older.length === 0 ? newest.next : known.next }
}

/** Returns all objects once, each in the state and at the place of its first occurrence. */
export function mergeItems<T extends Listed>(...lists: readonly (readonly T[])[]): T[] {
  const found = new Map<string, T>()
  for (const item of lists.flat()) if (!found.has(item.id)) found.set(item.id, item)
  return [...found.values()]
}
