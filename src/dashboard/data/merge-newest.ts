/** A part of a list that starts at its newest entry. */
export interface LoadedPart<T> {
  readonly data: readonly T[]
  readonly hasMore: boolean
}

/**
 * Replaces the newest entries of a list by a page that was read again. Older entries that were loaded before are kept,
 * unless the page does not reach them.
 */
export function mergeNewest<T extends { readonly id: string }>(
  known: LoadedPart<T>,
  page: { readonly data: readonly T[]; readonly has_more: boolean },
): LoadedPart<T> {
  const last = page.data.at(-1)
  const at = known.data.findIndex(({ id }) => id === last?.id)
  if (at === -1 || !page.has_more) return { data: page.data, hasMore: page.has_more }
  const older = known.data.slice(at + 1)
  return { data: [...page.data, ...older], hasMore: older.length === 0 ? page.has_more : known.hasMore }
}
