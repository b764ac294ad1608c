import { sleep } from '../../../src/daemon/system/task-scheduling.ts'
import type { Database } from '../../../src/store/port/database.ts'
import type { ProcessCoordinator, Store } from '../../../src/store/port/store.ts'
import {
  openPostgresDatabase,
  type PostgresDatabaseOptions,
} from '../../../src/store/postgres/postgres-database.ts'
import { dropDatabase, newDatabaseUrl, onDatabase } from '../../support/postgres.ts'
import { customer, put, rejection } from '../fixture.ts'
import '../../support/sandbox-statements.ts'

let names = 0

type OpenOptions = Partial<Omit<PostgresDatabaseOptions, 'url' | 'newSuffix'>>

/** Opens the default store of a PostgreSQL database with a unique process name. */
export async function openAt(url: string, options: OpenOptions = {}): Promise<Store> {
  return (await openDatabaseAt(url, options)).defaultStore
}

/** Opens a PostgreSQL database with a unique process name. */
export function openDatabaseAt(url: string, options: OpenOptions = {}): Promise<Database> {
  names += 1
  return openPostgresDatabase({
    url,
    newSuffix: () => `holder-${names}`,
    pause: sleep,
    // A count of processes stays valid, however slow the machine is.
    monotonicMs: () => 0,
    ...options,
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

/** Makes a store commit until it expects no other process to commit. */
export async function commitAlone(store: Store): Promise<void> {
  for (let number = 1; number <= 8; number += 1) await put(store, customer('cus_alone_1'))
  await put(store, customer('cus_alone_2'))
}

/** Runs `work` with the URL of a new database for a role of its own, and a function that queries it as the administrator. */
export async function withRole(
  work: (url: string, query: (text: string) => Promise<unknown>, role: string) => Promise<void>,
): Promise<void> {
  const url = await newDatabaseUrl()
  const role = `r_${schemaOf(url)}`
  const query = (text: string) => onDatabase(url, (client) => client.query(text))
  await query(`CREATE ROLE ${role} LOGIN; CREATE SCHEMA ${schemaOf(url)} AUTHORIZATION ${role}`)
  await work(Object.assign(new URL(url), { username: role }).href, query, role)
  await dropDatabase(url)
  await query(`DROP ROLE ${role}`)
}

/** Returns the URL with a unique `application_name`, and a function that counts the connections with this name. */
export function nameConnections(url: string): {
  readonly named: string
  readonly count: () => Promise<number>
} {
  const named = new URL(url)
  named.searchParams.set('application_name', schemaOf(url))
  const count = () =>
    onDatabase(url, async (client) => {
      const text = 'SELECT 1 FROM pg_stat_activity WHERE application_name = $1'
      return (await client.query(text, [schemaOf(url)])).rows.length
    })
  return { named: named.href, count }
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
