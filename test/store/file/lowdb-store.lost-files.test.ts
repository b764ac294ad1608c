import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import { getJournalPath } from '../../../src/store/file/journal.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, idsOf, put, rejection, waitForNextTurn } from '../fixture.ts'
import { copyFolder, createDatabaseFolder, type DatabaseFolder } from './lowdb-folder.ts'

const test = suite<{ place: DatabaseFolder }>('store/lowdb lost files')

test.before.each(async (context) => {
  context.place = await createDatabaseFolder()
})

test.after.each(async ({ place }) => {
  await place.dispose()
})

/** Opens a cleanly closed database again and stores one more change. */
async function reopened(place: DatabaseFolder): Promise<Store> {
  const first = await place.open()
  await put(first, customer('cus_1'))
  await first.close()
  const store = await place.open()
  await put(store, customer('cus_2'))
  return store
}

const lastJournal = async ({ folder }: DatabaseFolder) =>
  `${folder}/${(await readdir(folder))
    .filter((name) => name.includes('.journal-'))
    .sort()
    .at(-1)}`

test('rejects a crashed database whose journal was deleted', async ({ place }) => {
  await reopened(place)
  const journal = await lastJournal(place)
  await rm(journal)
  const copy = await copyFolder(place)
  const error = await rejection(copy.open())
  assert.ok('code' in error && error.code === 'database_damaged', String(error))
  assert.match(error.message, `${getJournalPath(copy.file, 1)} is missing`)
  assert.match(error.message, `paycli doctor --db ${copy.file} --salvage`)
  await copy.dispose()
})

/** Changes to the files of an open database by other programs, with the expected log message. */
const LOSSES: Readonly<Record<string, { lose: (place: DatabaseFolder) => Promise<void>; message: string }>> =
  {
    'the journal is deleted': {
      lose: async (place) => rm(await lastJournal(place)),
      message: 'paycli.json.journal-1 was deleted or moved',
    },
    'the journal is renamed': {
      lose: async (place) => rename(await lastJournal(place), `${place.file}.away`),
      message: 'paycli.json.journal-1 was deleted or moved',
    },
    'the journal is deleted and created again': {
      lose: async (place) => {
        const journal = await lastJournal(place)
        const text = await readFile(journal)
        await rm(journal)
        await writeFile(journal, text)
      },
      message: 'paycli.json.journal-1 was replaced',
    },
    'the journal is emptied': {
      lose: async (place) => writeFile(await lastJournal(place), ''),
      message: 'paycli.json.journal-1 was changed',
    },
    'the snapshot is deleted': { lose: ({ file }) => rm(file), message: 'paycli.json was deleted' },
    'the snapshot is deleted and created again': {
      lose: async ({ file }) => {
        const text = await readFile(file)
        await rm(file)
        await writeFile(file, text)
      },
      message: 'paycli.json was replaced',
    },
    'another file is copied over the snapshot': {
      lose: ({ file }) => writeFile(file, '{"some":"other"}'),
      message: 'paycli.json was changed',
    },
    'the lock is deleted': {
      lose: ({ file }) => rm(`${file}.lock`),
      message: 'paycli.json.lock was deleted',
    },
    'the lock is created again': {
      lose: async ({ file }) => {
        await rm(`${file}.lock`)
        await writeFile(`${file}.lock`, '')
      },
      message: 'paycli.json.lock was replaced',
    },
    'the folder is deleted': {
      lose: ({ folder }) => rm(folder, { recursive: true }),
      message: 'journal-1 was',
    },
    'the folder is renamed': {
      lose: ({ folder }) => rename(folder, `${folder}-away`),
      message: 'journal-1 was',
    },
    'the folder becomes a file': {
      lose: async ({ folder }) => {
        await rename(folder, `${folder}-away`)
        await writeFile(folder, '')
      },
      message: 'journal-1 was',
    },
  }

/** Opens the data that the store rescued, in the database or in a file next to it, and returns the customer ids. */
async function openRescued({ folder, file, open, notes }: DatabaseFolder): Promise<string[]> {
  const rescued = (await readdir(folder)).filter((name) => name.includes('.rescued-'))
  for (const name of rescued) {
    assert.match(notes.join(), `${folder}/${name}`)
    for (const each of await readdir(folder)) if (each !== name) await rm(`${folder}/${each}`)
    await rename(`${folder}/${name}`, file)
  }
  return idsOf(await open(), 'customers')
}

for (const [name, { lose, message }] of Object.entries(LOSSES)) {
  test(`rejects changes when ${name}, and loses no data on a clean close`, async ({ place }) => {
    const store = await reopened(place)
    await place.checkFiles()
    assert.is(store.failure?.(), null)
    await put(store, customer('cus_3'))
    await lose(place)
    const before = existsSync(place.file) ? await readFile(place.file) : null
    await place.checkFiles()
    await place.checkFiles()
    assert.is(place.lost.length, 1)
    assert.match(place.lost[0] ?? '', message)
    assert.instance(store.failure?.(), DomainError)
    const error = await rejection(put(store, customer('cus_4')))
    assert.ok(error instanceof DomainError && error.code === 'unavailable', String(error))
    assert.equal(await idsOf(store, 'customers'), ['cus_3', 'cus_2', 'cus_1'])
    if (before !== null) assert.ok((await readFile(place.file)).equals(before), 'no file is overwritten')
    if (existsSync(place.folder) && !existsSync(`${place.folder}-away`)) await store.close()
    else {
      await rm(place.folder, { force: true })
      await mkdir(place.folder)
      await store.close()
    }
    assert.equal(await openRescued(place), ['cus_3', 'cus_2', 'cus_1'])
  })
}

test('close() rejects and releases the lock when the data in memory cannot be saved', async ({ place }) => {
  const store = await reopened(place)
  await rm(place.folder, { recursive: true })
  assert.match((await rejection(store.close())).message, 'Cannot write ')
  await mkdir(dirname(place.folder), { recursive: true })
  await (await place.open()).close()
})

test('keeps the journal when a moved folder is moved back before close()', async ({ place }) => {
  const store = await reopened(place)
  await rename(place.folder, `${place.folder}-away`)
  await place.checkFiles()
  await rename(`${place.folder}-away`, place.folder)
  await store.close()
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_2', 'cus_1'])
})

test('a checkpoint never overwrites a file that replaced the snapshot', async ({ place }) => {
  const store = await place.open({ minJournalBytes: 0 })
  await put(store, customer('cus_1'))
  await rm(place.file)
  await writeFile(place.file, 'precious')
  await put(store, customer('cus_2'))
  for (let turns = 0; turns < 200; turns += 1) await waitForNextTurn()
  assert.is(await readFile(place.file, 'utf8'), 'precious')
  await store.close()
  assert.is(await readFile(place.file, 'utf8'), 'precious')
  assert.equal(await openRescued(place), ['cus_2', 'cus_1'])
})

test('does not report checkpoints and journal rotations as lost files', async ({ place }) => {
  const store = await place.open({ minJournalBytes: 0 })
  for (let number = 0; number < 40; number += 1) {
    await Promise.all([put(store, customer(`cus_${number}`)), place.checkFiles()])
  }
  assert.equal(place.lost, [])
  assert.not(existsSync(getJournalPath(place.file, 0)), 'checkpoints have deleted the first journal')
  await store.close()
  assert.is((await idsOf(await place.open(), 'customers')).length, 40)
})

test.run()
