import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DomainError } from '../../../src/domain/domain-error.ts'
import { Journal, journalFile } from '../../../src/store/file/journal.ts'
import { encodeOperations } from '../../../src/store/file/journal-lines.ts'
import { recover } from '../../../src/store/file/recovery.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, idsOf, put, rejection, turn } from '../fixture.ts'
import { copyFolder, type DatabaseFolder, makeFolder } from './lowdb-folder.ts'

const test = suite<{ place: DatabaseFolder }>('store/lowdb lost files')

test.before.each(async (context) => {
  context.place = await makeFolder()
})

test.after.each(async ({ place }) => {
  await place.dispose()
})

/** A database that was stopped in order, is open again and holds one change more. */
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

async function refusalOf(place: DatabaseFolder): Promise<string> {
  const error = await rejection(place.open())
  assert.ok('code' in error && error.code === 'database_damaged', String(error))
  return error.message
}

test('refuses to open without the journal that was deleted before a crash', async ({ place }) => {
  await reopened(place)
  const journal = await lastJournal(place)
  await rm(journal)
  const copy = await copyFolder(place)
  const message = await refusalOf(copy)
  assert.match(message, `${journalFile(copy.file, 1)} is missing`)
  assert.match(message, `paycli doctor --db ${copy.file} --salvage`)
  await copy.dispose()
})

test('refuses the snapshot of an open database that was copied without its journal', async ({ place }) => {
  await reopened(place)
  const copy = await makeFolder()
  await mkdir(copy.folder, { recursive: true })
  await copyFile(place.file, copy.file)
  assert.match(await refusalOf(copy), 'journal-1 is missing')
  await copy.dispose()
})

test('refuses to open without the journal of a database that was never stopped', async ({ place }) => {
  await put(await place.open(), customer('cus_1'))
  const copy = await copyFolder(place)
  await rm(journalFile(copy.file, 0))
  assert.match(await refusalOf(copy), 'journal-0 is missing')
  await copy.dispose()
})

test('refuses to open without the newest of several journals', async ({ place }) => {
  await put(await place.open(), customer('cus_1'))
  const copy = await copyFolder(place)
  const options = { newSuffix: () => 'suffix' }
  const { position } = await recover(copy.file, options)
  const journal = await Journal.open(copy.file, position, { onBroken: () => undefined, pause: turn })
  await journal.rotate()
  await journal.append(encodeOperations([{ put: customer('cus_2') }]), () => undefined)
  await journal.close()
  const { records } = await recover(copy.file, options)
  assert.is(records.count('customers'), 2)
  await rm(journalFile(copy.file, 1))
  assert.match(await refusalOf(copy), 'journal-1 is missing')
  await copy.dispose()
})

test('opens the single file that a clean stop leaves, wherever it is copied', async ({ place }) => {
  await (await reopened(place)).close()
  const copy = await makeFolder()
  await mkdir(copy.folder, { recursive: true })
  await copyFile(place.file, copy.file)
  assert.equal(await idsOf(await copy.open(), 'customers'), ['cus_2', 'cus_1'])
  await copy.dispose()
})

/** Ways to lose the files of an open database, and what the log says of each. */
const LOSSES: Readonly<Record<string, { lose: (place: DatabaseFolder) => Promise<void>; says: string }>> = {
  'the journal is deleted': {
    lose: async (place) => rm(await lastJournal(place)),
    says: 'paycli.json.journal-1 was deleted or moved',
  },
  'the journal is renamed': {
    lose: async (place) => rename(await lastJournal(place), `${place.file}.away`),
    says: 'paycli.json.journal-1 was deleted or moved',
  },
  'the journal is deleted and made anew': {
    lose: async (place) => {
      const journal = await lastJournal(place)
      const text = await readFile(journal)
      await rm(journal)
      await writeFile(journal, text)
    },
    says: 'paycli.json.journal-1 was replaced',
  },
  'the journal is emptied': {
    lose: async (place) => writeFile(await lastJournal(place), ''),
    says: 'paycli.json.journal-1 was changed',
  },
  'the snapshot is deleted': { lose: ({ file }) => rm(file), says: 'paycli.json was deleted' },
  'the snapshot is deleted and made anew': {
    lose: async ({ file }) => {
      const text = await readFile(file)
      await rm(file)
      await writeFile(file, text)
    },
    says: 'paycli.json was replaced',
  },
  'another file is copied over the snapshot': {
    lose: ({ file }) => writeFile(file, '{"some":"other"}'),
    says: 'paycli.json was changed',
  },
  'the lock is deleted': { lose: ({ file }) => rm(`${file}.lock`), says: 'paycli.json.lock was deleted' },
  'the lock is made anew': {
    lose: async ({ file }) => {
      await rm(`${file}.lock`)
      await writeFile(`${file}.lock`, '')
    },
    says: 'paycli.json.lock was replaced',
  },
  'the folder is deleted': { lose: ({ folder }) => rm(folder, { recursive: true }), says: 'journal-1 was' },
  'the folder is renamed': { lose: ({ folder }) => rename(folder, `${folder}-away`), says: 'journal-1 was' },
  'the folder becomes a file': {
    lose: async ({ folder }) => {
      await rename(folder, `${folder}-away`)
      await writeFile(folder, '')
    },
    says: 'journal-1 was',
  },
}

/** Where the store has saved what it held: in the database, or in a file beside it. */
async function rescued({ folder, file, open, notes }: DatabaseFolder): Promise<string[]> {
  const aside = (await readdir(folder)).filter((name) => name.includes('.rescued-'))
  for (const name of aside) {
    assert.match(notes.join(), `${folder}/${name}`)
    for (const each of await readdir(folder)) if (each !== name) await rm(`${folder}/${each}`)
    await rename(`${folder}/${name}`, file)
  }
  return idsOf(await open(), 'customers')
}

for (const [what, { lose, says }] of Object.entries(LOSSES)) {
  test(`refuses changes within a second when ${what}, and loses nothing by a clean stop`, async ({
    place,
  }) => {
    const store = await reopened(place)
    await place.look()
    assert.is(store.failure?.(), null)
    await put(store, customer('cus_3'))
    await lose(place)
    const before = existsSync(place.file) ? await readFile(place.file) : null
    await place.look()
    await place.look()
    assert.is(place.lost.length, 1)
    assert.match(place.lost[0] ?? '', says)
    assert.instance(store.failure?.(), DomainError)
    const error = await rejection(put(store, customer('cus_4')))
    assert.ok(error instanceof DomainError && error.code === 'unavailable', String(error))
    assert.equal(await idsOf(store, 'customers'), ['cus_3', 'cus_2', 'cus_1'])
    if (before !== null) assert.ok((await readFile(place.file)).equals(before), 'nothing is overwritten')
    if (existsSync(place.folder) && !existsSync(`${place.folder}-away`)) await store.close()
    else {
      await rm(place.folder, { force: true })
      await mkdir(place.folder)
      await store.close()
    }
    assert.equal(await rescued(place), ['cus_3', 'cus_2', 'cus_1'])
  })
}

test('a stop that cannot save what only memory holds is an error, and frees the database', async ({
  place,
}) => {
  const store = await reopened(place)
  await rm(place.folder, { recursive: true })
  assert.match((await rejection(store.close())).message, 'could not be written')
  await mkdir(dirname(place.folder), { recursive: true })
  await (await place.open()).close()
})

test('a moved folder that is back at the stop keeps its journal', async ({ place }) => {
  const store = await reopened(place)
  await rename(place.folder, `${place.folder}-away`)
  await place.look()
  await rename(`${place.folder}-away`, place.folder)
  await store.close()
  assert.equal(await idsOf(await place.open(), 'customers'), ['cus_2', 'cus_1'])
})

test('a checkpoint never overwrites a file that somebody put in place of the snapshot', async ({ place }) => {
  const store = await place.open({ minJournalBytes: 0 })
  await put(store, customer('cus_1'))
  await rm(place.file)
  await writeFile(place.file, 'precious')
  await put(store, customer('cus_2'))
  for (let turns = 0; turns < 200; turns += 1) await turn()
  assert.is(await readFile(place.file, 'utf8'), 'precious')
  await store.close()
  assert.is(await readFile(place.file, 'utf8'), 'precious')
  assert.equal(await rescued(place), ['cus_2', 'cus_1'])
})

test('checkpoints and turned over journals are no loss', async ({ place }) => {
  const store = await place.open({ minJournalBytes: 0 })
  for (let number = 0; number < 40; number += 1) {
    await Promise.all([put(store, customer(`cus_${number}`)), place.look()])
  }
  assert.equal(place.lost, [])
  await store.close()
  assert.is((await idsOf(await place.open(), 'customers')).length, 40)
})

test.run()
