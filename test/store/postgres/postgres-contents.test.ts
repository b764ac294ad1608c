import { join } from 'node:path'
import fc from 'fast-check'
import { examine } from '../../../src/daemon/doctor.ts'
import { copyState, saveState } from '../../../src/daemon/states.ts'
import { loadContents, writeContents } from '../../../src/store/contents.ts'
import { Records } from '../../../src/store/memory/records.ts'
import { openPostgresStore } from '../../../src/store/postgres/postgres.ts'
import { newFolder } from '../../support/folders.ts'
import { dropDatabase, newDatabaseUrl, onDatabase, stopOwnPostgres } from '../../support/postgres.ts'
import { chance } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { type AnyWrite, anyWrite } from '../any-changes.ts'
import { everything } from '../everything.ts'
import { commit, customer, event, put, rejection } from '../fixture.ts'
import { downgrade, schemaOf } from './postgres-stores.ts'

const RUNS = 12
const MANY = 2500
/** The version of the tables that paycli 0.1.0 makes. */
const VERSION_OF_0_1_0 = 2
const test = suite('store/postgres contents')

test.after(stopOwnPostgres)

function recordsAfter(writes: readonly AnyWrite[]): Records {
  const records = new Records()
  for (const write of writes) {
    const all =
      'announce' in write ? records.numberEvents([write.announce]).map((one) => ({ put: one })) : [write]
    records.apply(all, { before: records.newest, stamp: 0 })
  }
  return records
}

test('whatever is written to a database is read from it, in its order', async () => {
  const url = await newDatabaseUrl()
  await fc.assert(
    fc.asyncProperty(fc.array(anyWrite, { maxLength: 40 }), async (writes) => {
      const records = recordsAfter(writes)
      await writeContents(url, records, { isReplaced: true })
      assert.equal(everything((await loadContents(url)).records), everything(records))
    }),
    { ...chance, numRuns: RUNS },
  )
  await dropDatabase(url)
})

test('a copy goes from a file to a database and back, and tells how far it is', async () => {
  const [url, file] = [await newDatabaseUrl(), join(newFolder(), 'paycli.json')]
  const records = new Records()
  for (let number = 0; number < MANY; number += 1) records.put(customer(`cus_${number}`))
  records.resumeSequence(7)
  await writeContents(url, records, { isReplaced: false })
  const told: string[] = []
  const copied = await copyState(url, file, (done, total) => told.push(`${done} of ${total}`))
  assert.equal(copied.records, MANY)
  assert.is(told.at(-1), `${MANY} of ${MANY}`)
  assert.ok(told.length > 2, 'step by step')
  assert.equal(everything((await loadContents(file)).records), everything(records))
  const again = await newDatabaseUrl()
  await copyState(file, again)
  assert.equal(everything((await loadContents(again)).records), everything(records))
  await dropDatabase(url)
  await dropDatabase(again)
})

test('a service goes on where the copy ends, and hears of one that takes the place of what there was', async () => {
  const url = await newDatabaseUrl()
  await writeContents(url, recordsAfter([{ put: { ...customer('cus_1') } }, { announce: event('evt_1') }]), {
    isReplaced: false,
  })
  const store = await openPostgresStore({ url, newSuffix: () => 'copied' })
  const told = await store.transact(async () => commit(null, { events: [event('evt_2')] }))
  assert.equal(
    told.events.map(({ sequence }) => sequence),
    [2],
  )
  const heard = new Promise<void>((resolve) => store.sharing?.onChange(resolve))
  await store.sharing?.take([], 1)
  await writeContents(url, recordsAfter([{ put: { ...customer('cus_9') } }]), { isReplaced: true })
  await heard
  assert.is(await store.get('customers', 'cus_1'), null)
  assert.is(await store.newestSequence(), 0)
  await store.close()
  await dropDatabase(url)
})

test('nothing is copied over what there is already, and nothing from where nothing is', async () => {
  const [url, file] = [await newDatabaseUrl(), join(newFolder(), 'paycli.json')]
  assert.match((await rejection(copyState(url, file))).message, 'holds nothing of paycli')
  assert.match((await rejection(copyState(file, url))).message, 'There is no database at')
  const store = await openPostgresStore({ url, newSuffix: () => 'full' })
  await put(store, customer('cus_1'))
  await store.close()
  await copyState(url, file)
  assert.match((await rejection(copyState(url, file))).message, 'exists already')
  assert.match((await rejection(copyState(file, url))).message, 'holds something already')
  const { records } = await loadContents(url)
  assert.equal(
    [...records.all('customers')].map(({ id }) => id),
    ['cus_1'],
  )
  await dropDatabase(url)
})

test('doctor, state save and state copy read a database of version 0.1.0 and leave its tables as they are', async () => {
  const [url, folder] = [await newDatabaseUrl(), newFolder()]
  const records = recordsAfter([{ put: { ...customer('cus_1') } }, { announce: event('evt_1') }])
  await writeContents(url, records, { isReplaced: false })
  await downgrade(url, VERSION_OF_0_1_0)
  assert.equal((await examine(url, () => {})).records, { customers: 1, events: 1 })
  const [saved, copied] = [join(folder, 'saved.json'), join(folder, 'copied.json')]
  await saveState(url, saved)
  await copyState(url, copied)
  for (const file of [saved, copied])
    assert.equal(everything((await loadContents(file)).records), everything(records))
  const { rows } = await onDatabase(url, (client) =>
    client.query(`SELECT max(version) AS version FROM ${schemaOf(url)}.migrations`),
  )
  assert.is(rows[0]?.version, VERSION_OF_0_1_0)
  await dropDatabase(url)
})

test.run()
