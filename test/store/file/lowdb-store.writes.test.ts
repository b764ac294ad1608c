import { stat } from 'node:fs/promises'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import { getJournalPath } from '../../../src/store/file/journal.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, event, idsOf, nextTurn, put, rejection, remove } from '../fixture.ts'
import { breakDisk, type FailingDisk } from './failing-disk.ts'
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

/** Enough turns of the event loop to write, sync and rename a file of this size. */
const MANY_TURNS = 500

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await rejection(promise)
  return error instanceof DomainError ? error.code : error.message
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('concurrent commits share writes', async ({ store, disk }) => {
  await Promise.all(numbers(100).map((number) => put(store, customer(`cus_${number}`))))
  assert.ok(disk.writes <= 3, `${disk.writes} writes for 100 commits`)
})

test('a transaction without changes writes nothing', async ({ store, disk }) => {
  assert.is((await store.transact(async () => commit('nothing'))).result, 'nothing')
  await put(store, ...[])
  assert.is(disk.writes, 0)
})

test('rejects writes on a full disk, serves reads, and accepts writes when there is space again', async ({
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

test('recovers from an exhausted quota like from a full disk', async ({ place, store, disk }) => {
  disk.plan = ['EDQUOT']
  assert.is(await codeOf(put(store, customer('cus_1'))), 'storage_full')
  await put(store, customer('cus_2'))
  assert.equal(await idsOf(store, 'customers'), ['cus_2', 'cus_old'])
  assert.equal(place.broken, [])
})

test('a failed transaction leaves no bytes in the journal', async ({ place, store, disk }) => {
  const sizeOf = async () => (await stat(getJournalPath(place.file, 0))).size
  const before = await sizeOf()
  disk.plan = ['ENOSPC']
  await rejection(put(store, customer('cus_1')))
  assert.is(await sizeOf(), before)
})

test('undoes records, indexes and sequence numbers of a failed transaction', async ({ store, disk }) => {
  disk.plan = ['ENOSPC']
  await rejection(
    store.transact(async () =>
      commit(null, {
        writes: [{ put: customer('cus_1') }, { put: customer('cus_old', { email: 'new@x.example' }) }],
        events: [event('evt_1'), event('evt_2')],
      }),
    ),
  )
  assert.equal(await store.get('customers', 'cus_old'), customer('cus_old'))
  assert.equal(await idsOf(store, 'customers', { where: { email: 'new@x.example' } }), [])
  assert.equal(await idsOf(store, 'events'), [])
  const { events } = await store.transact(async () => commit(null, { events: [event('evt_3')] }))
  assert.is(events[0]?.sequence, 1)
})

test('a record whose removal failed keeps its position', async ({ place, store, disk }) => {
  await put(store, customer('cus_2'))
  await put(store, customer('cus_3'))
  disk.plan = ['ENOSPC']
  await rejection(remove(store, customer('cus_2')))
  assert.equal(await idsOf(store, 'customers'), ['cus_3', 'cus_2', 'cus_old'])
  await put(store, customer('cus_4'))
  await store.close()
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_4', 'cus_3', 'cus_2', 'cus_old'])
})

test('transactions that arrive during a failed write fail with it', async ({ store, disk }) => {
  const later: Promise<string>[] = []
  disk.plan = ['ENOSPC']
  disk.onWrite = async () => {
    later.push(codeOf(put(store, customer('cus_2'))))
    await nextTurn()
  }
  assert.is(await codeOf(put(store, customer('cus_1'))), 'storage_full')
  assert.equal(await Promise.all(later), ['storage_full'])
  assert.equal(await idsOf(store, 'customers'), ['cus_old'])
  await put(store, customer('cus_3'))
  assert.equal(await idsOf(store, 'customers'), ['cus_3', 'cus_old'])
})

test('many writers lose no acknowledged transaction on a disk that is full at times', async ({
  place,
  store,
  disk,
}) => {
  const kept: string[] = []
  for (const round of numbers(30)) {
    disk.plan = round % 3 === 0 ? ['succeeds', 'ENOSPC'] : round % 7 === 0 ? ['ENOSPC', 'ENOSPC'] : []
    const names = numbers(8).map((number) => `cus_${round}_${number}`)
    await Promise.all(
      names.map(async (name, index) => {
        for (const _ of numbers(index)) await nextTurn()
        const hasFailed = await put(store, customer(name)).then(
          () => false,
          () => true,
        )
        if (!hasFailed) kept.push(name)
      }),
    )
  }
  disk.plan = []
  const before = await idsOf(store, 'customers', { limit: 1000 })
  assert.equal([...before].sort(), ['cus_old', ...kept].sort())
  const crashed = await copyFolder(place)
  assert.equal(await idsOf(await crashed.open(), 'customers', { limit: 1000 }), before)
  await crashed.dispose()
  await store.close()
  assert.equal(await idsOf(await place.open(), 'customers', { limit: 1000 }), before)
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
    await nextTurn()
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

test('close during a failed write keeps the data from before that write', async ({ place, store, disk }) => {
  disk.plan = ['ENOSPC']
  const failed = rejection(put(store, customer('cus_1')))
  await store.close()
  await failed
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_old'])
})

test('a checkpoint never contains a transaction that failed during the checkpoint', async ({
  place,
  store,
  disk,
}) => {
  await store.close()
  const eager = await place.open({ minJournalBytes: 0 })
  const names = numbers(9).map((number) => `cus_${number}`)
  // They share a write, so the checkpoint starts before the next transaction is written.
  await Promise.all(names.map((name) => put(eager, customer(name))))
  // The first write is the end mark of the journal.
  const before = disk.writes + 1
  disk.plan = ['succeeds', 'ENOSPC']
  disk.onWrite = async () => {
    disk.onWrite = async () => {
      // Waits until the snapshot with the record is written, and until it could have replaced the old one.
      while (disk.writes < before + 2) await nextTurn()
      for (const _ of numbers(MANY_TURNS)) await nextTurn()
    }
  }
  assert.is(await codeOf(put(eager, customer('cus_failed'))), 'storage_full')
  assert.is(disk.writes, before + 2, 'the snapshot must be written meanwhile')
  for (const _ of numbers(MANY_TURNS)) await nextTurn()
  const crashed = await copyFolder(place)
  const kept = await idsOf(await crashed.open(), 'customers')
  assert.equal(kept, [...names.reverse(), 'cus_old'])
  await crashed.dispose()
  await eager.close()
})

test('a failed checkpoint loses no transaction and is retried', async ({ place, store, disk }) => {
  await store.close()
  const eager = await place.open({ minJournalBytes: 1 })
  await put(eager, customer('cus_1'))
  disk.plan = ['succeeds', 'ENOSPC']
  for (const number of [2, 3, 4, 5, 6]) {
    await put(eager, customer(`cus_${number}`)).catch(() => undefined)
    for (const _ of numbers(20)) await nextTurn()
  }
  const before = await idsOf(eager, 'customers')
  await eager.close()
  assert.equal(await idsOf(await place.open(), 'customers'), before)
})

test.run()
