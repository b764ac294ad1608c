/** The newest entries of a stream. */
export interface EntryBuffer<T> {
  readonly add: (...entries: readonly T[]) => void
  readonly clear: () => void
  /** Returns the entries, oldest first; the same array as long as nothing changes. */
  readonly entries: () => readonly T[]
}

/** Older entries are dropped; the lists of the API still have them. */
export const MAX_ENTRIES = 5000

/** Creates a buffer that copies its array when it is read, not for each entry. */
export function createEntryBuffer<T>(): EntryBuffer<T> {
  let entries: readonly T[] = []
  let added: T[] = []
  return {
    add(...more) {
      added.push(...more)
      // A hidden tab does not read the entries, so the number of new ones is limited too.
      if (added.length > 2 * MAX_ENTRIES) added = added.slice(-MAX_ENTRIES)
    },
    clear() {
      entries = []
      added = []
    },
    entries() {
      if (added.length > 0) entries = [...entries, ...added].slice(-MAX_ENTRIES)
      added = []
      return entries
    },
  }
}
