import type { Stored } from '../../domain/changes.ts'
import type { Collection } from '../port/collections.ts'
import type { Ask } from './postgres-connection.ts'
import { keyOf } from './postgres-keys.ts'

/** How many questions for records are under way at once; what is asked meanwhile is asked together. */
const QUESTIONS_UNDER_WAY = 2
const RECORDS_PER_QUESTION = 200

/** One record that somebody waits for. */
interface Wanted {
  readonly collection: Collection
  readonly key: string
  readonly resolve: (record: Stored | null) => void
  readonly reject: (error: unknown) => void
}

/** Reads one record; many that are asked for at about the same time are read at once. */
export type Get = (collection: Collection, id: string) => Promise<Stored | null>

/** Makes a `get` that shares its questions: a request needs several records, and many requests come at once. */
export function createGets(ask: Ask, schema: string): Get {
  const waiting: Wanted[] = []
  let underWay = 0
  const text = `SELECT collection, id, record FROM unnest($1::text[], $2::text[]) AS wanted (in_collection, with_id)
     JOIN "${schema}".records ON collection = in_collection AND id = with_id`

  async function read(some: readonly Wanted[]): Promise<void> {
    try {
      const rows = await ask(text, [some.map(({ collection }) => collection), some.map(({ key }) => key)])
      const found = new Map(
        rows.map(({ collection, id, record }) => [`${collection} ${id}`, record as Stored]),
      )
      for (const { collection, key, resolve } of some) resolve(found.get(`${collection} ${key}`) ?? null)
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }

  async function readAll(): Promise<void> {
    while (waiting.length > 0) await read(waiting.splice(0, RECORDS_PER_QUESTION))
    underWay -= 1
  }

  return (collection, id) =>
    new Promise((resolve, reject) => {
      waiting.push({ collection, key: keyOf(id), resolve, reject })
      if (underWay === QUESTIONS_UNDER_WAY) return
      underWay += 1
      // Whoever needs several asks for all of them first.
      queueMicrotask(readAll)
    })
}
