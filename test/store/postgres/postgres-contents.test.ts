import { join } from 'node:path'
import fc from 'fast-check'
import { copyDatabase } from '../../../src/daemon/copy-database.ts'
import { MemoryRecords } from '../../../src/store/memory/memory-records.ts'
import { loadSandboxContents, writePostgresContents } from '../../../src/store/sandbox-contents.ts'
import { newFolder } from '../../support/folders.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { type AnyWrite, anyWrite } from '../any-changes.ts'
import { dumpRecords } from '../dump-records.ts'
import { commit, customer, event, put, rejection } from '../fixture.ts'
import { openAt, schemaOf } from './postgres-stores.ts'

const RUNS = 12
const MANY = 2500
const test = suite('store/postgres contents')

test.after(stopOwnPostgres)

function recordsAfter(writes: readonly AnyWrite[]): MemoryRecords {
  const records = new MemoryRecords()
  for (const write of writes) {
    const all =
      'announce' in write ? records.sequenceEvents([write.announce]).map((one) => ({ put: one })) : [write]
    records.apply(all, 0)
  }
  return records
}

test('reads any records in the order in which they were written', async () => {
  const url = await newDatabaseUrl()
  await fc.assert(
    fc.asyncProperty(fc.array(anyWrite, { maxLength: 40 }), async (writes) => {
      const records = recordsAfter(writes)
      await writePostgresContents(url, records, { isReplaced: true })
      assert.equal(dumpRecords((await loadSandboxContents(url)).records), dumpRecords(records))
    }),
    { ...propertySettings, numRuns: RUNS },
  )
  await dropDatabase(url)
})

test('copies a database to a file and back, and reports the progress', async () => {
  const [url, file] = [await newDatabaseUrl(), join(newFolder(), 'paycli.json')]
  const records = new MemoryRecords()
  for (let number = 0; number < MANY; number += 1) records.put(customer(`cus_${number}`))
  records.resumeSequence(7)
  await writePostgresContents(url, records, { isReplaced: false })
  const progress: string[] = []
  const copied = await copyDatabase(url, file, (done, total) => progress.push(`${done} of ${total}`))
  assert.equal(copied.records, MANY)
  assert.is(progress.at(-1), `${MANY} of ${MANY}`)
  assert.ok(progress.length > 2, 'progress must be reported in steps')
  assert.equal(dumpRecords((await loadSandboxContents(file)).records), dumpRecords(records))
  const again = await newDatabaseUrl()
  await copyDatabase(file, again)
  assert.equal(dumpRecords((await loadSandboxContents(again)).records), dumpRecords(records))
  await dropDatabase(url)
  await dropDatabase(again)
})

test('a server continues the sequence of a copied database, and is notified when a copy replaces the data', async () => {
  const url = await newDatabaseUrl()
  await writePostgresContents(
    url,
    recordsAfter([{ put: { ...customer('cus_1') } }, { announce: event('evt_1') }]),
    {
      isReplaced: false,
    },
  )
  const store = await openAt(url)
  const committed = await store.transact(async () => commit(null, { events: [event('evt_2')] }))
  assert.equal(
    committed.events.map(({ sequence }) => sequence),
    [2],
  )
  const notified = new Promise<boolean>((resolve) => store.coordinator?.onChange(resolve))
  await store.coordinator?.acquireLeases([], 1)
  await writePostgresContents(url, recordsAfter([{ put: { ...customer('cus_9') } }]), { isReplaced: true })
  await notified
  assert.is(await store.get('customers', 'cus_1'), null)
  assert.is(await store.newestSequence(), 0)
  await store.close()
  await dropDatabase(url)
})

/** Returns the definitions of all indexes of a database, sorted. */
function indexesAt(url: string): Promise<string[]> {
  return onDatabase(url, async (client) => {
    const { rows } = await client.query(
      'SELECT indexdef FROM pg_indexes WHERE schemaname = $1 ORDER BY indexname',
      [schemaOf(url)],
    )
    return rows.map(({ indexdef }) => String(indexdef).replaceAll(schemaOf(url), 'schema'))
  })
}

/** Returns the object id (OID) of an index. It changes when the index is created again. */
function indexIdAt(url: string): Promise<number> {
  return onDatabase(url, async (client) => {
    const { rows } = await client.query(`SELECT '${schemaOf(url)}.records_block'::regclass::oid AS id`)
    return Number(rows[0]?.id)
  })
}

test('a copy has the same indexes as the database of a server, even after an earlier copy failed', async () => {
  const [url, file] = [await newDatabaseUrl(), join(newFolder(), 'paycli.json')]
  const server = await openAt(url)
  await put(server, customer('cus_1'))
  await server.close()
  await copyDatabase(url, file)
  const copy = await newDatabaseUrl()
  const failed = copyDatabase(file, copy, () => {
    throw new Error('the progress cannot be shown')
  })
  assert.match((await rejection(failed)).message, 'the progress cannot be shown')
  assert.equal(await indexesAt(copy), await indexesAt(url))
  const before = await indexIdAt(copy)
  await copyDatabase(file, copy)
  assert.equal(await indexesAt(copy), await indexesAt(url))
  assert.is.not(await indexIdAt(copy), before, 'the indexes must be created after the records')
  await dropDatabase(url)
  await dropDatabase(copy)
})

test('a copy keeps indexes that an administrator renamed', async () => {
  const [file, url] = [join(newFolder(), 'paycli.json'), await newDatabaseUrl()]
  await writePostgresContents(url, recordsAfter([{ put: { ...customer('cus_1') } }]), { isReplaced: false })
  await copyDatabase(url, file)
  await writePostgresContents(url, new MemoryRecords(), { isReplaced: true })
  await onDatabase(url, (client) =>
    client.query(`ALTER INDEX ${schemaOf(url)}.records_block RENAME TO listed`),
  )
  const before = await indexesAt(url)
  await copyDatabase(file, url)
  assert.equal(await indexesAt(url), before)
  await dropDatabase(url)
})

test('never copies over existing data or from a missing database', async () => {
  const [url, file] = [await newDatabaseUrl(), join(newFolder(), 'paycli.json')]
  assert.match((await rejection(copyDatabase(url, file))).message, 'does not contain a paycli database')
  assert.match((await rejection(copyDatabase(file, url))).message, 'There is no database at')
  const store = await openAt(url)
  await put(store, customer('cus_1'))
  await store.close()
  await copyDatabase(url, file)
  assert.match((await rejection(copyDatabase(url, file))).message, 'already exists')
  assert.match((await rejection(copyDatabase(file, url))).message, 'is not empty')
  const { records } = await loadSandboxContents(url)
  assert.equal(
    [...records.all('customers')].map(({ id }) => id),
    ['cus_1'],
  )
  await dropDatabase(url)
})

test.run()
