import type { Collection } from '../port/collections.ts'
import type { Reader } from '../port/store.ts'

/** A reader that asks the same question once, until it is told that the answer may be another one. */
export interface RememberingReader {
  readonly reader: Reader
  /** Must hear of every collection that has changed. */
  readonly forget: (collections: Iterable<Collection>) => void
}

/** Remembers what `reader` answers; only whoever keeps everybody else from changing anything may. */
export function createRememberingReader(reader: Reader): RememberingReader {
  const remembered = new Map<Collection, Map<string, Promise<unknown>>>()

  function once<T>(collection: Collection, question: string, ask: () => Promise<T>): Promise<T> {
    const answers = remembered.get(collection) ?? new Map<string, Promise<unknown>>()
    remembered.set(collection, answers)
    const answer = (answers.get(question) as Promise<T> | undefined) ?? ask()
    answers.set(question, answer)
    // Whoever asked several things at once and gave up at the first that failed hears of no other.
    answer.catch(() => {})
    return answer
  }

  return {
    reader: {
      get: (collection, id) => once(collection, `get ${id}`, () => reader.get(collection, id)),
      list: (collection, query) =>
        once(collection, `list ${JSON.stringify(query)}`, () => reader.list(collection, query)),
      due: (queue, until, limit) => reader.due(queue, until, limit),
      oldest: (collection, limit, after) =>
        once(collection, `oldest ${limit} ${after}`, () => reader.oldest(collection, limit, after)),
      count: (collection) => once(collection, 'count', () => reader.count(collection)),
      newestSequence: () => reader.newestSequence(),
    },
    forget(collections) {
      for (const collection of collections) remembered.delete(collection)
    },
  }
}
