import { cpSync, existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadDatabase } from '../../../src/store/file/recovery.ts'
import { getSandboxesFolder, getSandboxFile } from '../../../src/store/file/sandbox-files.ts'
import type { Database, SandboxLocation } from '../../../src/store/port/database.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, idsOf, put, rejection } from '../fixture.ts'
import { watchDisk } from './disk-steps.ts'
import { createDatabaseFolder, type DatabaseFolder } from './lowdb-folder.ts'

const test = suite<{ place: DatabaseFolder }>('store/lowdb sandbox files')

test.before.each(async (context) => {
  context.place = await createDatabaseFolder()
})

test.after.each(({ place }) => place.dispose())

const A: SandboxLocation = { id: 'sbx_a', storage: 'durable' }
const B: SandboxLocation = { id: 'sbx_b', storage: 'durable' }

async function putIn(database: Database, at: SandboxLocation, ...ids: string[]): Promise<void> {
  const store = await database.openSandbox(at)
  await put(store, ...ids.map((id) => customer(id)))
  await store.close()
}

const filesOf = ({ file }: DatabaseFolder) =>
  existsSync(getSandboxesFolder(file)) ? readdirSync(getSandboxesFolder(file)).sort() : []

test('keeps each durable sandbox in a separate private file without a lock', async ({ place }) => {
  const mask = process.umask(0)
  try {
    const database = await place.openDatabase()
    const store = await database.openSandbox(A)
    await put(store, customer('cus_1'))
    assert.equal(filesOf(place), ['sbx_a.json', 'sbx_a.json.journal-0'])
    await store.close()
    await putIn(database, B, 'cus_2')
    assert.equal(filesOf(place), ['sbx_a.json', 'sbx_b.json'])
    assert.is((await stat(getSandboxesFolder(place.file))).mode & 0o777, 0o700)
    for (const { id } of [A, B]) assert.is((await stat(getSandboxFile(place.file, id))).mode & 0o777, 0o600)
  } finally {
    process.umask(mask)
  }
})

test('in-memory sandboxes never touch the disk', async ({ place }) => {
  const database = await place.openDatabase()
  const before = readdirSync(place.folder).sort()
  await putIn(database, { ...A, storage: 'memory' }, 'cus_1')
  await database.writeSandbox({ ...B, storage: 'memory' }, await database.defaultStore.capture())
  assert.equal(readdirSync(place.folder).sort(), before)
  assert.equal(await database.listSandboxes(), [
    { id: 'sbx_a', storage: 'memory' },
    { id: 'sbx_b', storage: 'memory' },
  ])
})

test('deleteSandbox removes the snapshot, the journals and all helper files of one sandbox', async ({
  place,
}) => {
  const database = await place.openDatabase()
  for (const at of [A, B, { ...A, id: 'sbx_a-origin' }]) await putIn(database, at, 'cus_1')
  const folder = getSandboxesFolder(place.file)
  for (const name of ['sbx_a.json.x.tmp', 'sbx_a.json.journal-7', 'sbx_a.json.journal-7.torn-3'])
    await writeFile(join(folder, name), '')
  assert.equal((await database.listSandboxes()).map(({ id }) => id).sort(), [
    'sbx_a',
    'sbx_a-origin',
    'sbx_b',
  ])
  await database.deleteSandbox(A)
  assert.equal(filesOf(place), ['sbx_a-origin.json', 'sbx_b.json'])
})

test('opening a database removes the temporary files of sandboxes that are not opened', async ({ place }) => {
  const first = await place.openDatabase()
  await putIn(first, A, 'cus_1')
  await first.close()
  const temporary = ['sbx_a.json.1-x.tmp', 'sbx_new.json.x.tmp', 'sbx_a-origin.json.lock.2-x.tmp']
  for (const name of [...temporary, 'notes.tmp'])
    await writeFile(join(getSandboxesFolder(place.file), name), '')
  const database = await place.openDatabase()
  assert.equal(filesOf(place), ['notes.tmp', 'sbx_a.json'])
  assert.equal(await database.listSandboxes(), [A])
})

test('a reset erases all sandboxes', async ({ place }) => {
  const database = await place.openDatabase()
  await put(database.defaultStore, customer('cus_default'))
  await putIn(database, A, 'cus_1')
  await putIn(database, B, 'cus_2')
  await database.close()
  const reset = await place.openDatabase({ isReset: true })
  assert.equal(await idsOf(reset.defaultStore, 'customers'), [])
  assert.not.ok(existsSync(getSandboxesFolder(place.file)))
  assert.equal(await reset.listSandboxes(), [])
})

test('a reset keeps files of other programs in the folder of the sandboxes', async ({ place }) => {
  await mkdir(getSandboxesFolder(place.file), { recursive: true })
  await writeFile(join(getSandboxesFolder(place.file), 'notes.txt'), 'mine')
  await place.openDatabase({ isReset: true })
  assert.equal(filesOf(place), ['notes.txt'])
})

test('rejects a symbolic link in place of the folder of the sandboxes', async ({ place }) => {
  const database = await place.openDatabase()
  const target = newFolder()
  await symlink(target, getSandboxesFolder(place.file))
  assert.match((await rejection(database.openSandbox(A))).message, 'symbolic link')
  assert.match(
    (await rejection(database.writeSandbox(A, await database.defaultStore.capture()))).message,
    'symbolic link',
  )
  await database.close()
  assert.match((await rejection(place.openDatabase({ isReset: true }))).message, 'symbolic link')
  assert.equal(readdirSync(target), [])
})

test('rejects a sandbox id that is a path', async ({ place }) => {
  const database = await place.openDatabase()
  for (const id of ['../other', 'a/b', '', '.']) {
    assert.match((await rejection(database.openSandbox({ ...A, id }))).message, 'Invalid id')
    assert.match((await rejection(database.deleteSandbox({ ...A, id }))).message, 'Invalid id')
  }
})

test('a crash at any step of replaceSandboxContents leaves either the old or the new contents', async ({
  place,
}) => {
  const database = await place.openDatabase()
  await putIn(database, B, 'cus_new_1', 'cus_new_2')
  const source = await database.openSandbox(B)
  const contents = await source.capture()
  await source.close()
  const earlier = await database.openSandbox(A)
  await put(earlier, customer('cus_old'))
  // A copy of the open files, as after a kill, has the old contents in a journal.
  const killed = await createDatabaseFolder()
  cpSync(place.folder, killed.folder, { recursive: true })
  await earlier.close()
  const restarted = await killed.openDatabase()
  const images: string[] = []
  const root = newFolder()
  const stopWatching = await watchDisk(() => {
    const image = join(root, String(images.length))
    cpSync(getSandboxesFolder(killed.file), image, { recursive: true })
    images.push(image)
  })
  try {
    await restarted.writeSandbox(A, contents)
  } finally {
    stopWatching()
    await killed.dispose()
  }
  const found = new Set<string>()
  for (const image of images) {
    const { records } = await loadDatabase(join(image, 'sbx_a.json'))
    const ids = Array.from(records.all('customers'), ({ id }) => id).join()
    assert.ok(['cus_old', 'cus_new_1,cus_new_2'].includes(ids), `${ids} in ${image}`)
    found.add(ids)
  }
  assert.is(found.size, 2)
  assert.ok(images.length >= 8, `${images.length} steps`)
})

test('a lost file disables the writes of its sandbox only', async ({ place }) => {
  const database = await place.openDatabase()
  const store = await database.openSandbox(A)
  const checkSandbox = place.checkFiles
  await put(store, customer('cus_1'))
  await writeFile(
    `${getSandboxFile(place.file, A.id)}.other`,
    await readFile(getSandboxFile(place.file, A.id)),
  )
  await rename(`${getSandboxFile(place.file, A.id)}.other`, getSandboxFile(place.file, A.id))
  await checkSandbox()
  assert.match(place.lost.join(), 'sbx_a.json was replaced')
  assert.match((await rejection(put(store, customer('cus_2')))).message, 'nothing can be stored')
  await put(database.defaultStore, customer('cus_3'))
  await store.close()
  assert.match(place.notes.join(), `${dirname(getSandboxFile(place.file, A.id))}/sbx_a.json.rescued-`)
})

test.run()
