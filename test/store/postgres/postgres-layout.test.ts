import { deliveryQueue } from '../../../src/domain/deadlines.ts'
import type { StartupError } from '../../../src/domain/startup-error.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { computeLayout, LAYOUTS } from '../../../src/store/postgres/postgres-schema.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { checkoutSession, commit, customer, delivery, dueIds, idsOf, put, rejection } from '../fixture.ts'
import { coordinatorOf, endConnections, openAt, openErrorAt, schemaOf, until } from './postgres-stores.ts'

const RECORDS = 10_000
const STEP = 1000
const FEW = 1100
const LONG_SECONDS = 600
/** A value that a test writes to a column to detect whether it is computed again. */
const MARK = 123

const OLD = ['older']
const NEW = ['older', 'newer']

const test = suite('store/postgres-layout')

test.after(stopOwnPostgres)

let url: string
const opened: Store[] = []

test.before.each(async () => {
  url = await newDatabaseUrl()
})

test.after.each(async () => {
  for (const store of opened.splice(0)) await store.close()
  await dropDatabase(url)
})

/** Opens a store as the version that knows these layouts. */
async function openAs(
  layouts: readonly string[],
  onNote: (message: string) => void = () => {},
): Promise<Store> {
  const store = await openAt(url, { layouts, onNote })
  opened.push(store)
  return store
}

const query = (text: string) =>
  onDatabase(url, async (client) => {
    const results = await client.query(text.replaceAll('@', `${schemaOf(url)}.`))
    return results.rows as readonly Record<string, unknown>[]
  })

async function fill(store: Store, count: number): Promise<void> {
  for (let from = 0; from < count; from += STEP) {
    const some = Array.from({ length: Math.min(STEP, count - from) }, (_, at) => customer(`cus_${from + at}`))
    await put(store, ...some)
  }
}

/** Overwrites the columns, as if the older version had computed them in another way. */
const overwriteColumns = () =>
  query(`UPDATE @records SET key1 = 'old', key2 = NULL, created = 1, due_queue = NULL`)

/** Ends the connection of a copying version after its first batch. */
async function killAmidCopy(): Promise<void> {
  await onDatabase(url, async (client) => {
    const lockProgress = async () => {
      await client.query('BEGIN')
      const found = client.query(`SELECT kind FROM ${schemaOf(url)}.layout_progress FOR UPDATE`)
      const isCopying = (await found.catch(() => ({ rows: [] }))).rows[0]?.kind === 'customers'
      if (!isCopying) await client.query('ROLLBACK')
      return isCopying
    }
    await until(lockProgress)
    // The lock stops the copy at its next batch.
    await until(async () => (await endConnections(url, 'layout_progress')) > 0)
    await client.query('ROLLBACK')
  })
}

test('the last entry of LAYOUTS is the result of computeLayout(); append it after a change', () => {
  assert.is(LAYOUTS.at(-1), computeLayout())
  assert.is(new Set(LAYOUTS).size, LAYOUTS.length)
})

test('a newer version computes all columns again, keeps the order, and stops the older version', async () => {
  const older = await openAs(OLD)
  await fill(older, FEW)
  await put(
    older,
    checkoutSession('cks_1', { customer: 'cus_1' }),
    delivery('whd_1', { webhook_endpoint: 'we_1' }),
  )
  const before = await older.list('customers', { limit: 5 })
  const oldest = await older.listOldest('customers', 3)
  await overwriteColumns()
  const newer = await openAs(NEW)
  assert.equal(await newer.list('customers', { limit: 5 }), before)
  assert.equal(await newer.listOldest('customers', 3), oldest)
  assert.is(await newer.count('customers'), FEW)
  assert.equal(await idsOf(newer, 'checkout_sessions', { where: { customer: 'cus_1' } }), ['cks_1'])
  const until = Number.MAX_SAFE_INTEGER
  assert.equal(await dueIds(newer, deliveryQueue('we_1'), { until }), ['whd_1'])
  await put(newer, customer('cus_new'))
  assert.equal(await idsOf(newer, 'customers', { limit: 1 }), ['cus_new'])
  const error = await rejection(coordinatorOf(older).heartbeat(LONG_SECONDS))
  assert.match(error.message, 'Another version of paycli changed the layout of the database')
  for (const call of [older.get('customers', 'cus_1'), put(older, customer('cus_late'))])
    assert.is((await rejection(call)).message, error.message)
})

test('the swapped table has the indexes of a new table, and no temporary object is left', async () => {
  const objects = () =>
    query(`SELECT relname AS name, pg_get_indexdef(oid) AS is FROM pg_class
         WHERE relnamespace = '${schemaOf(url)}'::regnamespace ORDER BY relname`)
  const triggers = () => query(`SELECT tgname FROM pg_trigger WHERE tgrelid = '@records'::regclass`)
  await put(await openAs(OLD), customer('cus_1'))
  const before = await objects()
  await openAs(NEW)
  assert.equal(await objects(), before)
  assert.equal(await triggers(), [])
  await openAs([...NEW, 'newest'])
  assert.equal(await objects(), before, 'also after the next migration')
})

test('a version rejects an unknown layout for writing and reading', async () => {
  await put(await openAs(NEW), customer('cus_1'))
  const error = await rejection(openAs(OLD))
  assert.is((error as StartupError).code, 'database_newer')
  assert.match(error.message, 'A newer version of paycli changed the layout of this database')
  const known = await openErrorAt(url)
  assert.is((known as StartupError).code, 'database_newer', 'this version knows neither layout')
  const [head] = await query('SELECT layout FROM @head')
  assert.is(head?.['layout'], 'newer')
})

test('an older version writes without losses while a newer one indexes 10,000 records', async () => {
  const older = await openAs(OLD)
  await fill(older, RECORDS)
  await overwriteColumns()
  const started = Promise.withResolvers<void>()
  const opening = openAs(NEW, () => started.resolve())
  await started.promise
  const written: string[] = []
  let failure: Error | null = null
  for (let number = 0; failure === null; number += 1) {
    const created = customer(`cus_new_${number}`, { email: 'new' })
    const changed = customer(`cus_${number}`, { email: 'new' })
    const removed = customer(`cus_${RECORDS - 1 - number}`)
    const writes = [{ put: created }, { put: changed }, { remove: removed }]
    failure = await older
      .transact(async () => commit(null, { writes }))
      .then(
        () => null,
        (error) => error,
      )
    if (failure !== null) break
    written.push(created.id, changed.id)
  }
  assert.match(failure?.message ?? '', 'Another version of paycli changed the layout of the database')
  const newer = await opening
  assert.ok(written.length >= 10, `${written.length / 2} transactions meanwhile`)
  assert.is(await newer.count('customers'), RECORDS)
  const [found] = await query(`SELECT count(*)::int AS number FROM @records WHERE key1 = 'new'`)
  assert.is(found?.['number'], written.length)
  const [overwritten] = await query(`SELECT count(*)::int AS number FROM @records WHERE key1 = 'old'`)
  assert.is(overwritten?.['number'], 0)
})

test('a newer version resumes a copy that was interrupted', async () => {
  const older = await openAs(OLD)
  await fill(older, RECORDS)
  await overwriteColumns()
  const failed = rejection(openAs(NEW))
  await killAmidCopy()
  assert.match((await failed).message, /terminat|connection|EPIPE|ECONNRESET/i)
  const [progress] = await query('SELECT kind, id FROM @layout_progress')
  assert.is(progress?.['kind'], 'customers')
  // A copied record must not be copied again.
  const marked = await query(
    `UPDATE @records_next SET created = ${MARK} WHERE id IN (SELECT id FROM @records_next ORDER BY id LIMIT 1) RETURNING id`,
  )
  await put(older, customer('cus_meanwhile'))
  const newer = await openAs(NEW)
  assert.is(await newer.count('customers'), RECORDS + 1)
  const [kept] = await query(`SELECT created FROM @records WHERE id = '${marked[0]?.['id']}'`)
  assert.is(kept?.['created'], MARK)
  assert.equal(await idsOf(newer, 'customers', { limit: 1 }), ['cus_meanwhile'])
})

test('an older version drops the unfinished copy of a newer one', async () => {
  const older = await openAs(OLD)
  await fill(older, RECORDS)
  const failed = rejection(openAs(NEW))
  await killAmidCopy()
  await failed
  await put(await openAs(OLD), customer('cus_new'))
  const [left] = await query(
    `SELECT to_regclass('@layout_changes') AS changes, to_regclass('@records_next') AS next`,
  )
  assert.equal(left, { changes: null, next: null })
})

test('only one of two concurrent starts copies, and both stores work', async () => {
  await fill(await openAs(OLD), FEW)
  await overwriteColumns()
  const notes: string[] = []
  const stores = await Promise.all([
    openAs(NEW, (note) => notes.push(note)),
    openAs(NEW, (note) => notes.push(note)),
  ])
  assert.is(notes.length, 1)
  assert.match(notes[0] ?? '', `Indexing ${FEW} records for this version`)
  for (const [at, store] of stores.entries()) await put(store, customer(`cus_new_${at}`))
  assert.is(await stores[0]?.count('customers'), FEW + 2)
})

test('a long read delays the swap of the tables, but no writes', async () => {
  const older = await openAs(OLD)
  await put(older, customer('cus_1'))
  await onDatabase(url, async (client) => {
    await client.query(`BEGIN; SELECT count(*) FROM ${schemaOf(url)}.records`)
    const opening = openAs(NEW)
    const sleeping = `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`
    await until(async () => (await query(sleeping)).length > 0)
    await put(older, customer('cus_2'))
    await client.query('COMMIT')
    assert.is(await (await opening).count('customers'), 2)
  })
})

test.run()
