import type { Store } from '../../../src/store/port/store.ts'
import { assert, suite } from '../../support/suite.ts'
import {
  codeOf,
  commit,
  customer,
  event,
  idsOf,
  put,
  rejection,
  remove,
  turns,
  waitForNextTurn,
  write,
} from '../fixture.ts'
import { breakDisk, type FailingDisk, hold } from './failing-disk.ts'
import { copyFolder, createDatabaseFolder, type DatabaseFolder } from './lowdb-folder.ts'

const test = suite<{ place: DatabaseFolder; store: Store; disk: FailingDisk }>('store/lowdb writes')

test.before.each(async (context) => {
  context.place = await createDatabaseFolder()
  context.store = await context.place.open()
  await put(context.store, customer('cus_old'))
  context.disk = await breakDisk()
})

test.after.each(async ({ place, disk }) => {
  disk.repair()
  await place.dispose()
})

/** Collects the results of settled reads by name. */
function watch(reads: Readonly<Record<string, Promise<unknown>>>): Record<string, unknown> {
  const results: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(reads)) {
    read.then((result) => {
      results[name] = result
    })
  }
  return results
}

const name = (store: Store, id: string) =>
  store.get('customers', id).then((record) => (record && 'name' in record ? record.name : record))

test('a transaction without changes writes nothing', async ({ store, disk }) => {
  assert.is((await store.transact(async () => commit('nothing'))).result, 'nothing')
  await put(store, ...[])
  assert.is(disk.writes, 0)
})

test('rejects writes on a full disk, serves reads, and accepts writes again when the disk has space', async ({
  place,
  store,
  disk,
}) => {
  disk.plan = ['ENOSPC', 'ENOSPC', 'succeeds', 'ENOSPC']
  for (const number of [1, 2]) {
    assert.is(await codeOf(put(store, customer(`cus_${number}`))), 'storage_full')
    assert.equal(await idsOf(store, 'customers'), ['cus_old'])
  }
  await put(store, customer('cus_3'))
  assert.is(await codeOf(put(store, customer('cus_4'))), 'storage_full')
  await put(store, customer('cus_5'))
  const crashed = await copyFolder(place)
  assert.equal(await idsOf(await crashed.open(), 'customers'), ['cus_5', 'cus_3', 'cus_old'])
  await crashed.dispose()
  await store.close()
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_5', 'cus_3', 'cus_old'])
  assert.equal(place.notes, [])
  assert.equal(place.broken, [])
})

test('rejects all writes and keeps acknowledged data after a failure other than a full disk', async ({
  place,
  store,
  disk,
}) => {
  disk.plan = ['EIO']
  assert.is(await codeOf(put(store, customer('cus_1'))), 'unavailable')
  assert.is(place.broken.length, 1)
  assert.is(await codeOf(put(store, customer('cus_2'))), 'unavailable')
  assert.equal(await idsOf(store, 'customers'), ['cus_old'])
  await store.close()
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_old'])
})

test('rejects all writes when the journal cannot be truncated after a full disk', async ({
  place,
  store,
  disk,
}) => {
  const later: Promise<string>[] = []
  disk.plan = ['ENOSPC']
  disk.onTruncate = async () => {
    later.push(codeOf(put(store, customer('cus_2'))))
    await waitForNextTurn()
    throw new Error('the disk failed')
  }
  assert.is(await codeOf(put(store, customer('cus_1'))), 'unavailable')
  assert.equal(await Promise.all(later), ['unavailable'])
  assert.equal(await idsOf(store, 'customers'), ['cus_old'])
  assert.is(place.broken.length, 1)
})

test('close on a full disk keeps the journal and releases the lock', async ({ place, store, disk }) => {
  await put(store, customer('cus_1'))
  disk.plan = ['ENOSPC', 'ENOSPC']
  await store.close()
  assert.match(place.notes.join(), 'Cannot compact the database')
  disk.plan = []
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_1', 'cus_old'])
})

test('returns changed, new, removed and listed records only after the change is durable', async ({
  store,
  disk,
}) => {
  await put(store, customer('cus_1'), customer('cus_2'))
  const release = hold(disk)
  const writing = store.transact(async () =>
    commit(null, {
      writes: [
        { put: customer('cus_1', { name: 'Joan' }) },
        { remove: customer('cus_2') },
        { put: customer('cus_3') },
      ],
      events: [event('evt_1')],
    }),
  )
  await turns(5)
  assert.is(disk.writes, 2)
  const reads = {
    changed: name(store, 'cus_1'),
    removed: name(store, 'cus_2'),
    added: name(store, 'cus_3'),
    list: idsOf(store, 'customers'),
    filtered: idsOf(store, 'customers', { where: { email: 'nobody@example.com' } }),
    events: idsOf(store, 'events'),
    decided: store.transact(async (reader) => commit((await reader.get('customers', 'cus_2')) === null)),
    failed: rejection(
      store.transact(async (reader) => {
        throw new Error(String(await reader.get('customers', 'cus_2')))
      }),
    ),
  }
  const results = watch(reads)
  await turns(20)
  assert.equal(results, {})
  release()
  await writing
  await Promise.all(Object.values(reads))
  const { changed, removed, list, filtered, events } = results
  assert.equal(
    [changed, removed, list, filtered, events],
    ['Joan', null, ['cus_3', 'cus_1', 'cus_old'], [], ['evt_1']],
  )
})

test('a read during a failed write returns the unchanged data', async ({ store, disk }) => {
  const release = hold(disk)
  disk.plan = ['ENOSPC']
  const failed = rejection(write(store, { remove: customer('cus_old') }, { put: customer('cus_3') }))
  await turns(5)
  const reads = [name(store, 'cus_old'), name(store, 'cus_3'), idsOf(store, 'customers')]
  await turns(5)
  release()
  await failed
  assert.equal(await Promise.all(reads), ['Jane', null, ['cus_old']])
})

test('a failed transaction does not reveal an earlier transaction that is not durable', async ({
  store,
  disk,
}) => {
  const release = hold(disk)
  const writing = put(store, customer('cus_3'))
  await turns(5)
  const stray = { put: { id: 'x', object: 'unknown' } }
  await rejection(store.transact(async () => commit(null, { writes: [{ put: customer('cus_4') }, stray] })))
  const results = watch({ list: idsOf(store, 'customers'), added: name(store, 'cus_3') })
  await turns(20)
  assert.equal(results, {})
  release()
  await writing
  await turns(5)
  assert.equal(results['list'], ['cus_3', 'cus_old'])
})

test('a transaction that cannot be serialized changes nothing in memory', async ({ store }) => {
  const metadata = { total: 1n } as unknown as Record<string, string>
  const record = { ...customer('cus_3'), metadata }
  assert.match((await rejection(put(store, customer('cus_4'), record))).message, 'BigInt')
  assert.equal(await idsOf(store, 'customers'), ['cus_old'])
  await remove(store, customer('cus_old'))
  assert.equal(await idsOf(store, 'customers'), [])
})

test.run()
