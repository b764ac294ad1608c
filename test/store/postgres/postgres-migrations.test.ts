import type { Client } from 'pg'
import type { Store } from '../../../src/store/port/store.ts'
import { LAYOUTS } from '../../../src/store/postgres/postgres-schema.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, event, idsOf, put, rejection } from '../fixture.ts'
import { coordinatorOf, downgrade, openAt, openDatabaseAt, schemaOf, until } from './postgres-stores.ts'

const STARTS = 4
/** More records than one batch of the copy. */
const MANY = 1500
/** So many that the copy takes much longer than the test needs to stop it. */
const VERY_MANY = 10_000
const LONG_SECONDS = 600
/** All versions of the tables. */
const VERSIONS = [1, 2, 3, 4, 5]
/** A timeout that makes a blocked statement fail instead of hanging the test. */
const FAILURE = "SET lock_timeout = '20s'"

const test = suite('store/postgres-migrations')

test.after(stopOwnPostgres)

let url: string
const opened: Store[] = []

test.before.each(async () => {
  const named = new URL(await newDatabaseUrl())
  // Identifies the connections of the store.
  named.searchParams.set('application_name', schemaOf(named.href))
  url = named.href
})

test.after.each(async () => {
  for (const store of opened.splice(0)) await store.close()
  await dropDatabase(url)
})

function open(at = url): Promise<Store> {
  const opening = openAt(at).then((store) => {
    opened.push(store)
    return store
  })
  // A test that fails before it awaits the start must not end the process.
  opening.catch(() => {})
  return opening
}

/** Runs statements in which `@` stands for the schema. */
const queryOn = async (client: Client, text: string) =>
  (await client.query(text.replaceAll('@', `${schemaOf(url)}.`))).rows as readonly Record<string, unknown>[]

/** Runs `work` on a connection that does not belong to the store. */
const outside = <T>(work: (client: Client) => Promise<T>) => {
  const plain = new URL(url)
  plain.searchParams.delete('application_name')
  return onDatabase(plain.href, work)
}

const query = (text: string) => outside((client) => queryOn(client, text))

const versions = async () =>
  (await query('SELECT version FROM @migrations ORDER BY version')).map(({ version }) => version)

const indexes = () =>
  query(`SELECT relname AS name, pg_get_indexdef(indexrelid) AS definition, indisvalid AS "isValid"
       FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
       WHERE relnamespace = '${schemaOf(url)}'::regnamespace ORDER BY relname`)

const FROM_STORE_CONNECTIONS = () => `FROM pg_stat_activity WHERE application_name = '${schemaOf(url)}'`

/** Resolves when a starting store waits for a lock of a table or a transaction. */
const untilBlocked = () =>
  until(async () => {
    const waiting = `SELECT 1 ${FROM_STORE_CONNECTIONS()} AND wait_event_type = 'Lock' AND wait_event <> 'advisory'`
    return (await query(waiting)).length > 0
  })

/** Creates a database of an older version with some customers and an event; returns the indexes of this version. */
async function fillOlder(version: number, customers = 1) {
  const store = await open()
  await put(store, ...Array.from({ length: customers }, (_, at) => customer(`cus_${at + 1}`)))
  await store.transact(async () => commit(null, { events: [event('evt_1')] }))
  await store.close()
  opened.length = 0
  const current = await indexes()
  await downgrade(url, version)
  return current
}

/** Returns the indexes except those of the tables that only servers of older versions use. */
const currentIndexes = async () =>
  (await indexes()).filter(({ name }) => name !== 'leases_pkey' && name !== 'presences_pkey')

/** Runs `work` while a transaction with written records is open. */
const withOpenWriter = <T>(work: (writer: Client) => Promise<T>) =>
  outside(async (writer) => {
    await queryOn(writer, 'BEGIN; UPDATE @records SET created = created')
    return work(writer)
  })

/** Writes as version 0.1.0 does: locks head without a key. */
const writeAsOlder = (id: string) =>
  query(`${FAILURE}; BEGIN; SELECT sequence FROM @head FOR UPDATE;
       INSERT INTO @records (collection, id, place, created, record)
         SELECT collection, '${id}', head.place + 1, created, '{"object":"customer","id":"${id}","created":1}'
         FROM @records, @head WHERE records.id = 'cus_1';
       UPDATE @head SET place = place + 1; COMMIT`)

for (const version of VERSIONS.slice(0, -1)) {
  test(`all records of a database of version ${version} are in the default sandbox`, async () => {
    const current = await fillOlder(version, MANY)
    const database = await openDatabaseAt(url)
    const store = database.defaultStore
    opened.push(store)
    assert.is(await store.count('customers'), MANY)
    assert.equal(await idsOf(store, 'customers', { limit: 2 }), [`cus_${MANY}`, `cus_${MANY - 1}`])
    assert.equal(await idsOf(store, 'events', { where: { type: event('evt_1').type } }), ['evt_1'])
    assert.equal(await query('SELECT DISTINCT sandbox FROM @records'), [{ sandbox: 'default' }])
    assert.equal(await query('SELECT sandbox FROM @head'), [{ sandbox: 'default' }])
    const { events } = await store.transact(async () => commit(null, { events: [event('evt_2')] }))
    assert.is(events[0]?.sequence, 2)
    const sandbox = await database.openSandbox({ id: 'sbx_1', storage: 'durable' })
    assert.is(await sandbox.count('customers'), 0)
    await sandbox.close()
    assert.equal(await currentIndexes(), current)
    assert.equal(await versions(), VERSIONS)
  })
}

test('an older version can write while a starting store waits to copy its records', async () => {
  const current = await fillOlder(4)
  const opening = await withOpenWriter(async (writer) => {
    const opening = open()
    await untilBlocked()
    await writeAsOlder('cus_2')
    await queryOn(writer, 'COMMIT')
    return opening
  })
  assert.is(await opening.count('customers'), 2)
  await put(opening, customer('cus_3'))
  assert.equal(await currentIndexes(), current)
  assert.equal(await versions(), VERSIONS)
})

test('an older version can write while a long read delays the key of head', async () => {
  const current = await fillOlder(2)
  const opening = await outside(async (reader) => {
    await queryOn(reader, 'BEGIN; SELECT sequence FROM @head')
    const opening = open()
    await untilBlocked()
    await writeAsOlder('cus_2')
    assert.equal(await versions(), [1, 2])
    await queryOn(reader, 'COMMIT')
    return opening
  })
  assert.is(await opening.count('customers'), 2)
  assert.equal(await currentIndexes(), current)
})

/** Kills a starting store after the first batch of its copy. */
async function killAmidCopy(): Promise<void> {
  const failed = rejection(open())
  const progress = async () => (await query('SELECT kind FROM @layout_progress').catch(() => []))[0]
  await until(async () => (await progress())?.['kind'] === 'customers')
  await outside(async (client) => {
    await queryOn(client, `${FAILURE}; BEGIN; LOCK TABLE @records_next IN SHARE MODE`)
    await untilBlocked()
    await query(`SELECT pg_terminate_backend(pid) ${FROM_STORE_CONNECTIONS()} AND wait_event_type = 'Lock'`)
    assert.match((await failed).message, /terminat|connection|EPIPE|ECONNRESET/i)
    await queryOn(client, 'COMMIT')
  })
}

test('resumes a copy into sandboxes that was killed, with the changes of an older version meanwhile', async () => {
  const current = await fillOlder(4, VERY_MANY)
  await killAmidCopy()
  await writeAsOlder('cus_new')
  await query(`DELETE FROM @records WHERE id = 'cus_2'`)
  const store = await open()
  assert.is(await store.count('customers'), VERY_MANY)
  assert.is(await store.get('customers', 'cus_2'), null)
  assert.is((await store.get('customers', 'cus_new'))?.id, 'cus_new')
  assert.equal(await currentIndexes(), current)
  assert.equal(await query(`SELECT to_regclass('@layout_progress') AS left`), [{ left: null }])
})

test('concurrent starts wait for the process that migrates', async () => {
  const current = await fillOlder(2)
  const stores = await withOpenWriter(async (writer) => {
    const opening = Promise.all(Array.from({ length: STARTS }, () => open()))
    await untilBlocked()
    await until(
      async () =>
        (await query(`SELECT 1 ${FROM_STORE_CONNECTIONS()} AND query LIKE '%pg_sleep%'`)).length > 0,
    )
    await queryOn(writer, 'COMMIT')
    return opening
  })
  for (const [at, store] of stores.entries()) await put(store, customer(`cus_new_${at}`))
  assert.equal(await currentIndexes(), current)
  assert.equal(await versions(), VERSIONS)
})

test('after the migration a running older server gets the new layout from its statements, and no records', async () => {
  await fillOlder(4)
  const database = await openDatabaseAt(url)
  opened.push(database.defaultStore)
  const sandbox = await database.openSandbox({ id: 'sbx_1', storage: 'durable' })
  await put(sandbox, customer('cus_1', { name: 'another' }))
  await sandbox.close()
  const [heartbeat] = await query(
    `INSERT INTO @presences (name, holder, until) VALUES ('(here)', 'older', now())
     ON CONFLICT (name, holder) DO UPDATE SET until = EXCLUDED.until
     RETURNING (SELECT layout FROM @head WHERE id = 1) AS layout`,
  )
  const [locked] = await query('SELECT sequence, told, place, layout FROM @head WHERE id = 1 FOR UPDATE')
  for (const row of [heartbeat, locked]) assert.is(row?.['layout'], LAYOUTS.at(-1))
  for (const reading of [
    `SELECT record FROM @records WHERE collection = 'customers' AND id = 'cus_1'`,
    `SELECT count(*) FROM @records WHERE collection = 'customers'`,
    `SELECT record FROM @records WHERE due_queue = 'real' ORDER BY array_position('{customers}'::text[], collection)`,
  ])
    assert.match((await rejection(query(reading))).message, 'column "collection" does not exist')
})

test('the leases of older servers stay valid after the migration', async () => {
  await fillOlder(4)
  await query(`INSERT INTO @leases VALUES ('a', 'older', now() + interval '10 minutes')`)
  assert.equal(await coordinatorOf(await open()).acquireLeases(['a', 'b'], LONG_SECONDS), ['b'])
})

test.run()
