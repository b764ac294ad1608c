import { waitFor } from '../../../src/daemon/ticker.ts'
import type { MeasureTime, Sharing, Store } from '../../../src/store/port/store.ts'
import { openPostgresStore } from '../../../src/store/postgres/postgres.ts'
import { dropDatabase, newDatabaseUrl, onDatabase } from '../../support/postgres.ts'
import { rejection } from '../fixture.ts'

let names = 0

/** A store at a PostgreSQL database, as a process of its own would open it. */
export function openAt(url: string, measureTime: MeasureTime = () => () => {}): Promise<Store> {
  names += 1
  return openPostgresStore({ url, newSuffix: () => `holder-${names}`, measureTime, pause: waitFor })
}

/** What a store is refused with when it is opened. */
export function refusalAt(url: string): Promise<Error> {
  return rejection(openAt(url).then((store) => store.close()))
}

/** Gives work so many stores at one empty database, and closes and removes them after it. */
export async function withStores(
  count: number,
  work: (stores: readonly [Store, Store], url: string) => Promise<void>,
): Promise<void> {
  const url = await newDatabaseUrl()
  const stores: Store[] = []
  try {
    for (let opened = 0; opened < count; opened += 1) stores.push(await openAt(url))
    const [first, second = first] = stores
    if (first === undefined || second === undefined) throw new Error('no store')
    await work([first, second], url)
  } finally {
    for (const store of stores) await store.close()
    await dropDatabase(url)
  }
}

/** How a store is shared. */
export function sharingOf({ sharing }: Store): Sharing {
  if (sharing === undefined) throw new Error('the store is not shared')
  return sharing
}

/** The schema that a URL names. */
export function schemaOf(url: string): string {
  return new URL(url).searchParams.get('schema') ?? ''
}

/** What each migration after the first one has made, to be undone. */
const UNDO: readonly string[] = [
  'ALTER TABLE head DROP COLUMN told',
  'ALTER TABLE head DROP COLUMN id',
  'DROP INDEX records_events_key1, records_events_key2, records_events_key3, records_events_block',
]

/** Takes the tables back to those of an older version. */
export async function downgrade(url: string, version: number): Promise<void> {
  const undone = UNDO.slice(version - 1).map((text) => `${text};`)
  await onDatabase(url, (client) =>
    client.query(
      `SET search_path TO ${schemaOf(url)}; ${undone.join(' ')} DELETE FROM migrations WHERE version > ${version}`,
    ),
  )
}

const OF_SCHEMA = `FROM pg_stat_activity WHERE application_name = 'paycli' AND query LIKE $1 AND query LIKE $2`

/** How many connections there are at a schema whose last statement has these words, and that wait for something of this type. */
export function connectionsAt(url: string, words: string, waitType = ''): Promise<number> {
  const waiting = waitType === '' ? '' : ` AND wait_event_type = '${waitType}'`
  return counted(url, `SELECT pid ${OF_SCHEMA}${waiting}`, words)
}

/** Ends the connections at a schema whose last statement has these words; resolves with how many there were. */
export function endConnections(url: string, words: string): Promise<number> {
  return counted(url, `SELECT pg_terminate_backend(pid) ${OF_SCHEMA}`, words)
}

function counted(url: string, text: string, words: string): Promise<number> {
  return onDatabase(url, async (client) => {
    const { rows } = await client.query(text, [`%${schemaOf(url)}%`, `%${words}%`])
    return rows.length
  })
}

/** Resolves when something is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10))
}
