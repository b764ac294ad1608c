import { stat } from 'node:fs/promises'
import { DomainError } from '../../../src/domain/domain-error.ts'
import { journalFile } from '../../../src/store/file/journal.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, event, idsOf, put, rejection, remove, turn } from '../fixture.ts'
import { breakDisk, type FailingDisk } from './failing-disk.ts'
import { copyFolder, type DatabaseFolder, makeFolder } from './lowdb-folder.ts'

const test = suite<{ place: DatabaseFolder; store: Store; disk: FailingDisk }>('store/lowdb writes')

test.before.each(async (context) => {
  context.place = await makeFolder()
  context.store = await context.place.open()
  await put(context.store, customer('cus_old'))
  context.disk = await breakDisk()
})

test.after.each(async ({ place, disk }) => {
  disk.repair()
  await place.dispose()
})

/** Enough for a file of this size to be written, synced and renamed. */
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

test('a transaction that changes nothing writes nothing', async ({ store, disk }) => {
  assert.is((await store.transact(async () => commit('nothing'))).result, 'nothing')
  await put(store, ...[])
  assert.is(disk.writes, 0)
})

test('a full disk refuses, reading goes on, and with space again writing too', async ({
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

test('recovers from an exhausted quota as from a full disk', async ({ place, store, disk }) => {
  disk.plan = ['EDQUOT']
  assert.is(await codeOf(put(store, customer('cus_1'))), 'storage_full')
  await put(store, customer('cus_2'))
  assert.equal(await idsOf(store, 'customers'), ['cus_2', 'cus_old'])
  assert.equal(place.broken, [])
})

test('a refused transaction leaves no bytes in the journal', async ({ place, store, disk }) => {
  const sizeOf = async () => (await stat(journalFile(place.file, 0))).size
  const before = await sizeOf()
  disk.plan = ['ENOSPC']
  await rejection(put(store, customer('cus_1')))
  assert.is(await sizeOf(), before)
})

test('a refused transaction is taken back: records, indexes and the numbers of events', async ({
  store,
  disk,
}) => {
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

test('a record whose removal was refused is stored in its old place', async ({ place, store, disk }) => {
  await put(store, customer('cus_2'))
  await put(store, customer('cus_3'))
  disk.plan = ['ENOSPC']
  await rejection(remove(store, customer('cus_2')))
  assert.equal(await idsOf(store, 'customers'), ['cus_3', 'cus_2', 'cus_old'])
  await put(store, customer('cus_4'))
  await store.close()
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_4', 'cus_3', 'cus_2', 'cus_old'])
})

test('what was decided during a write is refused with it', async ({ store, disk }) => {
  const later: Promise<string>[] = []
  disk.plan = ['ENOSPC']
  disk.onWrite = async () => {
    later.push(codeOf(put(store, customer('cus_2'))))
    await turn()
  }
  assert.is(await codeOf(put(store, customer('cus_1'))), 'storage_full')
  assert.equal(await Promise.all(later), ['storage_full'])
  assert.equal(await idsOf(store, 'customers'), ['cus_old'])
  await put(store, customer('cus_3'))
  assert.equal(await idsOf(store, 'customers'), ['cus_3', 'cus_old'])
})

test('many writers on a disk that fills now and then lose nothing that was acknowledged', async ({
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
        for (const _ of numbers(index)) await turn()
        const refused = await put(store, customer(name)).then(
          () => false,
          () => true,
        )
        if (!refused) kept.push(name)
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

test('after any other failure nothing is stored any more, and what was acknowledged stays', async ({
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

test('a full disk that cannot be cut back either refuses everyone, also who came meanwhile', async ({
  place,
  store,
  disk,
}) => {
  const later: Promise<string>[] = []
  disk.plan = ['ENOSPC']
  disk.onTruncate = async () => {
    later.push(codeOf(put(store, customer('cus_2'))))
    await turn()
    throw new Error('the disk is gone')
  }
  assert.is(await codeOf(put(store, customer('cus_1'))), 'unavailable')
  assert.equal(await Promise.all(later), ['unavailable'])
  assert.equal(await idsOf(store, 'customers'), ['cus_old'])
  assert.is(place.broken.length, 1)
})

test('closing on a full disk keeps all in the journal and frees the database', async ({
  place,
  store,
  disk,
}) => {
  await put(store, customer('cus_1'))
  disk.plan = ['ENOSPC', 'ENOSPC']
  await store.close()
  assert.match(place.notes.join(), 'could not be compacted')
  disk.plan = []
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_1', 'cus_old'])
})

test('closing while a write is refused leaves the database as it was before it', async ({
  place,
  store,
  disk,
}) => {
  disk.plan = ['ENOSPC']
  const refused = rejection(put(store, customer('cus_1')))
  await store.close()
  await refused
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_old'])
})

test('a checkpoint never keeps what was refused while it was written', async ({ place, store, disk }) => {
  await store.close()
  const eager = await place.open({ minJournalBytes: 0 })
  const names = numbers(9).map((number) => `cus_${number}`)
  // They share a write, so the next one gives the checkpoint a turn to begin before it.
  await Promise.all(names.map((name) => put(eager, customer(name))))
  // The first write ends the journal.
  const before = disk.writes + 1
  disk.plan = ['succeeds', 'ENOSPC']
  disk.onWrite = async () => {
    disk.onWrite = async () => {
      // The snapshot is the next to be written, with the record in it; then it has time to take its place.
      while (disk.writes < before + 2) await turn()
      for (const _ of numbers(MANY_TURNS)) await turn()
    }
  }
  assert.is(await codeOf(put(eager, customer('cus_refused'))), 'storage_full')
  assert.is(disk.writes, before + 2, 'the snapshot was written meanwhile')
  for (const _ of numbers(MANY_TURNS)) await turn()
  const crashed = await copyFolder(place)
  const kept = await idsOf(await crashed.open(), 'customers')
  assert.equal(kept, [...names.reverse(), 'cus_old'])
  await crashed.dispose()
  await eager.close()
})

test('a checkpoint that fails loses nothing and is tried again', async ({ place, store, disk }) => {
  await store.close()
  const eager = await place.open({ minJournalBytes: 1 })
  await put(eager, customer('cus_1'))
  disk.plan = ['succeeds', 'ENOSPC']
  for (const number of [2, 3, 4, 5, 6]) {
    await put(eager, customer(`cus_${number}`)).catch(() => undefined)
    for (const _ of numbers(20)) await turn()
  }
  const before = await idsOf(eager, 'customers')
  await eager.close()
  assert.equal(await idsOf(await place.open(), 'customers'), before)
})

test.run()
