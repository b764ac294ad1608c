import { hash } from 'node:crypto'
import type { Client } from 'pg'
import type { Store } from '../../../src/store/port/store.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, event, put, rejection } from '../fixture.ts'
import { downgrade, openAt, schemaOf, until } from './postgres-stores.ts'

const STARTS = 4
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

/** Creates a database of an older version with a customer and an event; returns the indexes of this version. */
async function fillOlder(version: number) {
  const store = await open()
  await put(store, customer('cus_1'))
  await store.transact(async () => commit(null, { events: [event('evt_1')] }))
  await store.close()
  opened.length = 0
  const current = await indexes()
  await downgrade(url, version)
  return current
}

/** Runs `work` while a transaction with written records is open. */
const withOpenWriter = <T>(work: (writer: Client) => Promise<T>) =>
  outside(async (writer) => {
    await queryOn(writer, 'BEGIN; UPDATE @records SET created = created')
    return work(writer)
  })

/** Writes as version 0.1.0 does: locks head without a key. */
const writeAsOlder = (id: string, locks: string) =>
  query(`${locks}; SELECT sequence FROM @head FOR UPDATE;
       INSERT INTO @records (collection, id, place, created, record)
         SELECT collection, '${id}', head.place + 1, created, '{"id":"${id}"}'
         FROM @records, @head WHERE records.id = 'cus_1';
       UPDATE @head SET place = place + 1; COMMIT`)

/** Fails immediately if another statement holds or waits for a lock that blocks writes. */
const WITHOUT_WAITING = 'BEGIN; LOCK TABLE @head, @records IN ROW EXCLUSIVE MODE NOWAIT'

test('an older version can write while a starting store builds the event indexes', async () => {
  const current = await fillOlder(2)
  const opening = await withOpenWriter(async (writer) => {
    const opening = open()
    await untilBlocked()
    await writeAsOlder('cus_2', WITHOUT_WAITING)
    await queryOn(writer, 'COMMIT')
    return opening
  })
  assert.is(await opening.count('customers'), 2)
  await put(opening, customer('cus_3'))
  assert.equal(await indexes(), current)
  assert.equal(await versions(), [1, 2, 3, 4])
})

test('an older version can write while a long read delays the key of head', async () => {
  const current = await fillOlder(2)
  const opening = await outside(async (reader) => {
    await queryOn(reader, 'BEGIN; SELECT sequence FROM @head')
    const opening = open()
    await untilBlocked()
    await writeAsOlder('cus_2', `${FAILURE}; BEGIN`)
    assert.equal(await versions(), [1, 2])
    await queryOn(reader, 'COMMIT')
    return opening
  })
  assert.is(await opening.count('customers'), 2)
  assert.equal(await indexes(), current)
})

test('replaces an invalid index of an interrupted start', async () => {
  const current = await fillOlder(3)
  await query(`CREATE INDEX records_events_key1 ON @records (key1);
             UPDATE pg_index SET indisvalid = false WHERE indexrelid = '@records_events_key1'::regclass`)
  await open()
  assert.equal(await indexes(), current)
  assert.equal(await versions(), [1, 2, 3, 4])
})

test('resumes an interrupted start and keeps its complete indexes', async () => {
  const current = await fillOlder(4)
  await query(
    'DROP INDEX @records_events_key2, @records_events_key3; DELETE FROM @migrations WHERE version = 4',
  )
  const complete = () => query(`SELECT '@records_events_key1'::regclass::oid AS oid`)
  const before = await complete()
  await withOpenWriter(async () => {
    const failed = rejection(open())
    await untilBlocked()
    await query(`SELECT pg_terminate_backend(pid) ${FROM_STORE_CONNECTIONS()} AND wait_event_type = 'Lock'`)
    assert.match((await failed).message, /terminat|connection/i)
  })
  const left = (await indexes()).filter(({ isValid }) => isValid === false)
  assert.equal(
    left.map(({ name }) => name),
    ['records_events_key2'],
  )
  assert.equal(await versions(), [1, 2, 3])
  await open()
  assert.equal(await indexes(), current)
  assert.equal(await complete(), before)
  assert.equal(await versions(), [1, 2, 3, 4])
})

test('concurrent starts wait for the process that builds the indexes', async () => {
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
  assert.equal(await indexes(), current)
  assert.equal(await versions(), [1, 2, 3, 4])
})

test('lets a waiting start of version 0.1.0 go first, with any timeouts of the role', async () => {
  const current = await fillOlder(2)
  // deadlock_timeout is longer than the other timeouts, so only the index build ends with a deadlock.
  const limited = new URL(url)
  limited.searchParams.set(
    'options',
    '-c statement_timeout=1500 -c lock_timeout=1500 -c deadlock_timeout=2000',
  )
  await outside(async (older) => {
    await queryOn(older, "SET deadlock_timeout = '1h'; BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    const opening = await withOpenWriter(async (writer) => {
      const opening = open(limited.href)
      await untilBlocked()
      const waiting = queryOn(older, `SELECT pg_advisory_xact_lock(${lockOf(schemaOf(url))})`)
      const advisory = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND pid IN
        (SELECT pid FROM pg_stat_activity WHERE query LIKE '%xact_lock(${lockOf(schemaOf(url))})%')`
      await until(async () => (await query(advisory)).length > 0)
      await queryOn(writer, 'COMMIT')
      await waiting
      return { started: opening }
    })
    assert.equal(await queryOn(older, 'SELECT max(version) AS version FROM @migrations'), [{ version: 3 }])
    await queryOn(older, 'ROLLBACK')
    await opening.started
  })
  assert.equal(await indexes(), current)
  assert.equal(await versions(), [1, 2, 3, 4])
})

/** Returns the key of the advisory lock that version 0.1.0 uses during a migration. */
const lockOf = (schema: string) =>
  BigInt.asIntN(64, BigInt(`0x${hash('sha256', schema, 'hex').slice(0, 16)}`))

test.run()
