import { readdir, readFile, stat } from 'node:fs/promises'
import { assert, suite } from '../../support/suite.ts'
import { customer, idsOf, put, rejection, waitForNextTurn } from '../fixture.ts'
import { breakDisk } from './failing-disk.ts'
import { copyFolder, createDatabaseFolder, type DatabaseFolder } from './lowdb-folder.ts'

const test = suite<{ place: DatabaseFolder }>('store/lowdb closing')

const CLOSED = ['paycli.json', 'paycli.json.lock']

test.before.each(async (context) => {
  context.place = await createDatabaseFolder()
})

test.after.each(async ({ place }) => {
  await place.dispose()
})

const filesIn = async ({ folder }: DatabaseFolder) => (await readdir(folder)).sort()

test('a closed database consists of one data file and its lock file', async ({ place }) => {
  for (const round of [1, 2, 3]) {
    const store = await place.open()
    await put(store, customer(`cus_${round}`))
    await store.close()
    assert.equal(await filesIn(place), CLOSED)
  }
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_3', 'cus_2', 'cus_1'])
})

test('closing an unchanged database does not rewrite its file', async ({ place }) => {
  const store = await place.open()
  await put(store, customer('cus_1'))
  await store.close()
  const [{ ino }, text] = [await stat(place.file), await readFile(place.file)]
  await (await place.open()).close()
  assert.is((await stat(place.file)).ino, ino)
  assert.ok((await readFile(place.file)).equals(text))
  assert.equal(await filesIn(place), CLOSED)
})

test('keeps a write that is in progress when an unchanged database is closed', async ({ place }) => {
  const store = await place.open()
  await put(store, customer('cus_1'))
  await store.close()
  const disk = await breakDisk()
  try {
    const again = await place.open()
    const writing = put(again, customer('cus_2'))
    disk.onWrite = async () => {
      for (let turns = 0; turns < 20; turns += 1) await waitForNextTurn()
    }
    await Promise.all([writing, again.close()])
  } finally {
    disk.repair()
  }
  assert.equal(await filesIn(place), CLOSED)
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_2', 'cus_1'])
})

test('a write that fails while the database is closed changes nothing', async ({ place }) => {
  const store = await place.open()
  await put(store, customer('cus_1'))
  const disk = await breakDisk()
  try {
    disk.plan = ['ENOSPC']
    const failed = rejection(put(store, customer('cus_2')))
    await store.close()
    await failed
  } finally {
    disk.repair()
  }
  assert.equal(await filesIn(place), CLOSED)
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_1'])
})

test('closing removes an empty journal that a crash left', async ({ place }) => {
  const store = await place.open({ minJournalBytes: 0 })
  await put(store, customer('cus_1'))
  await put(store, customer('cus_1'))
  while (!(await filesIn(place)).includes('paycli.json')) await waitForNextTurn()
  const copy = await copyFolder(place)
  await (await copy.open()).close()
  assert.equal(await filesIn(copy), CLOSED)
  assert.equal(await idsOf(await copy.open(), 'customers'), ['cus_1'])
  await copy.dispose()
})

test.run()
