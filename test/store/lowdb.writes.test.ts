import { mkdir, readdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '../../src/store/store.ts'
import { assert, suite } from '../support/suite.ts'
import { commit, customer, event, idsOf, put, rejection, remove } from './fixture.ts'
import { type DatabaseFolder, makeFolder, UNWRITABLE } from './lowdb-folder.ts'

const test = suite<{ place: DatabaseFolder; store: Store }>('store/lowdb writes')

test.before.each(async (context) => {
  context.place = await makeFolder()
  context.store = await context.place.open()
  await put(context.store, customer('cus_old'))
})

test.after.each(async ({ place }) => {
  await place.dispose()
})

/** Lets the next writes end as told, and those after them succeed; `during` runs while the first is under way. */
function plan(place: DatabaseFolder, outcomes: ('fails' | 'succeeds')[], during: () => void = () => {}) {
  const seen = { writes: 0 }
  place.onWrite = () => {
    const outcome = outcomes[seen.writes] ?? 'succeeds'
    seen.writes += 1
    if (seen.writes === 1) during()
    return outcome === 'fails' ? UNWRITABLE : `planned-${seen.writes}`
  }
  return seen
}

async function storedIds(place: DatabaseFolder): Promise<string[]> {
  const { customers } = JSON.parse(await readFile(place.file, 'utf8')) as { customers: { id: string }[] }
  return customers.map(({ id }) => id)
}

test('concurrent commits share writes, and each resolves when its own is done', async ({ place, store }) => {
  const seen = plan(place, [])
  const numbers = Array.from({ length: 100 }, (_, index) => index + 1)
  await Promise.all(
    numbers.map(async (number) => {
      await put(store, customer(`cus_${number}`))
      assert.ok((await storedIds(place)).includes(`cus_${number}`))
    }),
  )
  assert.ok(seen.writes <= 3, `${seen.writes} writes for 100 commits`)
  assert.is((await storedIds(place)).length, 101)
})

test('a transaction that changes nothing writes nothing', async ({ place, store }) => {
  const seen = plan(place, [])
  assert.is((await store.transact(async () => commit('nothing'))).result, 'nothing')
  assert.is(seen.writes, 0)
})

test('a write fails when the folder is gone, and works again when it is back', async ({ place, store }) => {
  const away = `${place.folder}-away`
  await rename(place.folder, away)
  assert.match((await rejection(put(store, customer('cus_1')))).message, 'ENOENT')
  assert.equal(await idsOf(store, 'customers'), ['cus_old'])
  await rename(away, place.folder)
  assert.equal(await storedIds(place), ['cus_old'])
  assert.equal(await readdir(place.folder), ['paycli.json'])
  await put(store, customer('cus_2'))
  assert.equal(await storedIds(place), ['cus_old', 'cus_2'])
})

test('no temporary file is left when the last step of a write fails', async ({ place, store }) => {
  await unlink(place.file)
  await mkdir(place.file)
  await writeFile(join(place.file, 'in-the-way'), '')
  await rejection(put(store, customer('cus_1')))
  assert.equal(await readdir(place.folder), ['paycli.json'])
  await rm(place.file, { recursive: true })
  await put(store, customer('cus_2'))
  assert.equal(await storedIds(place), ['cus_old', 'cus_2'])
})

test('a symbolic link that takes the place of the file is not written through', async ({ place, store }) => {
  const target = join(place.folder, 'other.json')
  await writeFile(target, 'precious')
  await unlink(place.file)
  await symlink(target, place.file)
  assert.match((await rejection(put(store, customer('cus_1')))).message, 'symbolic link')
  assert.is(await readFile(target, 'utf8'), 'precious')
  assert.is(await store.get('customers', 'cus_1'), null)
})

test('a failed write is taken back: records, indexes and the numbers of events', async ({ place, store }) => {
  plan(place, ['fails'])
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

test('a record whose removal failed is stored in its old place', async ({ place, store }) => {
  await put(store, customer('cus_2'))
  await put(store, customer('cus_3'))
  plan(place, ['fails'])
  await rejection(remove(store, customer('cus_2')))
  assert.equal(await idsOf(store, 'customers'), ['cus_3', 'cus_2', 'cus_old'])
  await put(store, customer('cus_4'))
  await store.close()
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_4', 'cus_3', 'cus_2', 'cus_old'])
})

test('what was decided during a write goes with it when it fails', async ({ place, store }) => {
  let later: Promise<Error> | null = null
  plan(place, ['fails'], () => {
    later = rejection(put(store, customer('cus_2')))
  })
  const first = await rejection(put(store, customer('cus_1')))
  assert.is(await later, first)
  assert.equal(await idsOf(store, 'customers'), ['cus_old'])
  await put(store, customer('cus_3'))
  assert.equal(await storedIds(place), ['cus_old', 'cus_3'])
})

test('one write after another may fail, and each tells its own transactions', async ({ place, store }) => {
  plan(place, ['fails', 'fails', 'succeeds', 'fails'])
  for (const number of [1, 2]) await rejection(put(store, customer(`cus_${number}`)))
  await put(store, customer('cus_3'))
  await rejection(put(store, customer('cus_4')))
  await put(store, customer('cus_5'))
  assert.equal(await storedIds(place), ['cus_old', 'cus_3', 'cus_5'])
})

test('closing after a failed write resolves, and the file is as it was', async ({ place, store }) => {
  plan(place, ['fails'])
  const failed = rejection(put(store, customer('cus_1')))
  await store.close()
  await failed
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_old'])
})

test.run()
