import { hash } from 'node:crypto'
import type { Client } from 'pg'
import type { Store } from '../../../src/store/port/store.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, event, put, rejection } from '../fixture.ts'
import { downgrade, openAt, schemaOf, until } from './postgres-stores.ts'

const STARTS = 4
/** A statement that waits longer fails its test instead of hanging it. */
const FAILURE = "SET lock_timeout = '20s'"

const test = suite('store/postgres-migrations')

test.after(stopOwnPostgres)

let url: string
const opened: Store[] = []

test.before.each(async () => {
  const named = new URL(await newDatabaseUrl())
  // Its connections are recognized by this name.
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

/** Sends statements in which `@` stands for the schema. */
const on = async (client: Client, text: string) =>
  (await client.query(text.replaceAll('@', `${schemaOf(url)}.`))).rows as readonly Record<string, unknown>[]

/** Gives work a connection that is not one of the store. */
const outside = <T>(work: (client: Client) => Promise<T>) => {
  const plain = new URL(url)
  plain.searchParams.delete('application_name')
  return onDatabase(plain.href, work)
}

const ask = (text: string) => outside((client) => on(client, text))

const versions = async () =>
  (await ask('SELECT version FROM @migrations ORDER BY version')).map(({ version }) => version)

const indexes = () =>
  ask(`SELECT relname AS name, pg_get_indexdef(indexrelid) AS definition, indisvalid AS "isValid"
       FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
       WHERE relnamespace = '${schemaOf(url)}'::regnamespace ORDER BY relname`)

const OF_STORE = () => `FROM pg_stat_activity WHERE application_name = '${schemaOf(url)}'`

/** Resolves when a start waits for a lock of a table or of a transaction. */
const untilBlocked = () =>
  until(async () => {
    const waiting = `SELECT 1 ${OF_STORE()} AND wait_event_type = 'Lock' AND wait_event <> 'advisory'`
    return (await ask(waiting)).length > 0
  })

/** A database of an older version with one customer and one event; returns its indexes as of this version. */
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

/** Runs `work` while a transaction that has written records stays open. */
const besideWriter = <T>(work: (writer: Client) => Promise<T>) =>
  outside(async (writer) => {
    await on(writer, 'BEGIN; UPDATE @records SET created = created')
    return work(writer)
  })

/** Writes as 0.1.0 does: locks head by no key. */
const writeAsOlder = (id: string, locks: string) =>
  ask(`${locks}; SELECT sequence FROM @head FOR UPDATE;
       INSERT INTO @records (collection, id, place, created, record)
         SELECT collection, '${id}', head.place + 1, created, '{"id":"${id}"}'
         FROM @records, @head WHERE records.id = 'cus_1';
       UPDATE @head SET place = place + 1; COMMIT`)

/** Fails at once where a statement holds or waits for a lock that blocks writes. */
const AT_ONCE = 'BEGIN; LOCK TABLE @head, @records IN ROW EXCLUSIVE MODE NOWAIT'

test('an older version goes on writing while a start builds the event indexes', async () => {
  const current = await fillOlder(2)
  const opening = await besideWriter(async (writer) => {
    const begun = open()
    await untilBlocked()
    await writeAsOlder('cus_2', AT_ONCE)
    await on(writer, 'COMMIT')
    return begun
  })
  assert.is(await opening.count('customers'), 2)
  await put(opening, customer('cus_3'))
  assert.equal(await indexes(), current)
  assert.equal(await versions(), [1, 2, 3, 4])
})

test('an older version goes on writing while a long read of head delays its key', async () => {
  const current = await fillOlder(2)
  const opening = await outside(async (reader) => {
    await on(reader, 'BEGIN; SELECT sequence FROM @head')
    const begun = open()
    await untilBlocked()
    await writeAsOlder('cus_2', `${FAILURE}; BEGIN`)
    assert.equal(await versions(), [1, 2])
    await on(reader, 'COMMIT')
    return begun
  })
  assert.is(await opening.count('customers'), 2)
  assert.equal(await indexes(), current)
})

test('a start replaces an invalid index that an interrupted start left', async () => {
  const current = await fillOlder(3)
  await ask(`CREATE INDEX records_events_key1 ON @records (key1);
             UPDATE pg_index SET indisvalid = false WHERE indexrelid = '@records_events_key1'::regclass`)
  await open()
  assert.equal(await indexes(), current)
  assert.equal(await versions(), [1, 2, 3, 4])
})

test('a start resumes after an interrupted one, and keeps the indexes that were complete', async () => {
  const current = await fillOlder(4)
  await ask(
    'DROP INDEX @records_events_key2, @records_events_key3; DELETE FROM @migrations WHERE version = 4',
  )
  const complete = () => ask(`SELECT '@records_events_key1'::regclass::oid AS oid`)
  const before = await complete()
  await besideWriter(async () => {
    const failed = rejection(open())
    await untilBlocked()
    await ask(`SELECT pg_terminate_backend(pid) ${OF_STORE()} AND wait_event_type = 'Lock'`)
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

test('processes that start at once at an older database wait for the one that builds the indexes', async () => {
  const current = await fillOlder(2)
  const stores = await besideWriter(async (writer) => {
    const begun = Promise.all(Array.from({ length: STARTS }, () => open()))
    await untilBlocked()
    await until(async () => (await ask(`SELECT 1 ${OF_STORE()} AND query LIKE '%pg_sleep%'`)).length > 0)
    await on(writer, 'COMMIT')
    return begun
  })
  for (const [at, store] of stores.entries()) await put(store, customer(`cus_new_${at}`))
  assert.equal(await indexes(), current)
  assert.equal(await versions(), [1, 2, 3, 4])
})

test('a start lets one of 0.1.0 that waits for the lock go first, whatever timeouts the role has', async () => {
  const current = await fillOlder(2)
  // Only the new index gives up on a deadlock, after both other timeouts of its session.
  const limited = new URL(url)
  limited.searchParams.set(
    'options',
    '-c statement_timeout=1500 -c lock_timeout=1500 -c deadlock_timeout=2000',
  )
  await outside(async (older) => {
    await on(older, "SET deadlock_timeout = '1h'; BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    const opening = await besideWriter(async (writer) => {
      const begun = open(limited.href)
      await untilBlocked()
      const waiting = on(older, `SELECT pg_advisory_xact_lock(${lockOf(schemaOf(url))})`)
      const advisory = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND pid IN
        (SELECT pid FROM pg_stat_activity WHERE query LIKE '%xact_lock(${lockOf(schemaOf(url))})%')`
      await until(async () => (await ask(advisory)).length > 0)
      await on(writer, 'COMMIT')
      await waiting
      return { begun }
    })
    assert.equal(await on(older, 'SELECT max(version) AS version FROM @migrations'), [{ version: 3 }])
    await on(older, 'ROLLBACK')
    await opening.begun
  })
  assert.equal(await indexes(), current)
  assert.equal(await versions(), [1, 2, 3, 4])
})

/** The number by which 0.1.0 locks a schema while it migrates. */
const lockOf = (schema: string) =>
  BigInt.asIntN(64, BigInt(`0x${hash('sha256', schema, 'hex').slice(0, 16)}`))

test.run()
