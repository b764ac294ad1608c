import { sleep } from '../../../src/daemon/system/ticker.ts'
import type { ProcessCoordinator, SampleClock, Store } from '../../../src/store/port/store.ts'
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts'
import { dropDatabase, newDatabaseUrl, onDatabase } from '../../support/postgres.ts'
import { rejection } from '../fixture.ts'

let names = 0

/** Opens a PostgreSQL store with a process name of its own. */
export function openAt(url: string, sampleClock: SampleClock = () => () => {}): Promise<Store> {
  names += 1
  return openPostgresStore({
    url,
    newSuffix: () => `holder-${names}`,
    sampleClock,
    pause: sleep,
  })
}

/** Returns the error of opening a store. */
export function openErrorAt(url: string): Promise<Error> {
  return rejection(openAt(url).then((store) => store.close()))
}

/** Runs `work` with `count` stores of a new database, and then closes and drops them. */
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

/** Returns the process coordinator of a store. */
export function coordinatorOf({ coordinator }: Store): ProcessCoordinator {
  if (coordinator === undefined) throw new Error('the store has no coordinator')
  return coordinator
}

/** Returns the schema in a URL. */
export function schemaOf(url: string): string {
  return new URL(url).searchParams.get('schema') ?? ''
}

/** Statements that undo each migration after the first one. */
const DOWN_MIGRATIONS: readonly string[] = [
  'ALTER TABLE head DROP COLUMN told',
  'ALTER TABLE head DROP COLUMN id',
  'DROP INDEX records_events_key1, records_events_key2, records_events_key3, records_events_block',
]

/** Reverts the tables to an older version. */
export async function downgrade(url: string, version: number): Promise<void> {
  const undone = DOWN_MIGRATIONS.slice(version - 1).map((text) => `${text};`)
  await onDatabase(url, (client) =>
    client.query(
      `SET search_path TO ${schemaOf(url)}; ${undone.join(' ')} DELETE FROM migrations WHERE version > ${version}`,
    ),
  )
}

const FROM_CONNECTIONS = 'FROM pg_stat_activity WHERE application_name = $1 AND query LIKE $2'

/** Returns the number of connections whose last statement contains these words and that wait for this type of event. */
export function connectionsAt(url: string, words: string, waitType = ''): Promise<number> {
  const waiting = waitType === '' ? '' : ` AND wait_event_type = '${waitType}'`
  return countRows(url, `SELECT pid ${FROM_CONNECTIONS}${waiting}`, words)
}

/** Terminates the connections whose last statement contains these words; returns their number. */
export function endConnections(url: string, words: string): Promise<number> {
  return countRows(url, `SELECT pg_terminate_backend(pid) ${FROM_CONNECTIONS}`, words)
}

function countRows(url: string, text: string, words: string): Promise<number> {
  return onDatabase(url, async (client) => {
    const { rows } = await client.query(text, [`paycli ${schemaOf(url)}`, `%${words}%`])
    return rows.length
  })
}

/** Waits until a condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
}
