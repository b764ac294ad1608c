/** Deletes the oldest entry of a map or set that has more than `max` entries. */
export function evictOldest<K>(entries: Map<K, unknown> | Set<K>, max: number): void {
  const [oldest] = entries.keys()
  if (entries.size > max && oldest !== undefined) entries.delete(oldest)
}
