import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Journal } from '../../../src/store/file/journal.ts'
import { encodeWrites } from '../../../src/store/file/journal-lines.ts'
import { recoverDatabase } from '../../../src/store/file/recovery.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, rejection } from '../fixture.ts'
import { breakDisk, type FailingDisk } from './failing-disk.ts'
import { openJournal } from './open-journal.ts'

interface Context {
  folder: string
  file: string
  disk: FailingDisk
}

const test = suite<Context>('store/journal-files')

test.before.each(async (context) => {
  context.folder = newFolder()
  context.file = join(context.folder, 'paycli.json')
  context.disk = await breakDisk()
})

test.after.each(({ disk }) => disk.repair())

const store = (journal: Journal, id: string) =>
  journal.append(encodeWrites([{ put: customer(id) }]), () => undefined)

test('continues the journal and removes the next file when the disk is full during a rotation', async ({
  folder,
  file,
  disk,
}) => {
  const broken: unknown[] = []
  const journal = await openJournal(file, {}, (error) => broken.push(error))
  await store(journal, 'cus_1')
  disk.plan = ['ENOSPC']
  assert.match((await rejection(journal.rotate())).message, 'ENOSPC')
  await store(journal, 'cus_2')
  await journal.close()
  assert.equal(await readdir(folder), ['paycli.json.journal-0'])
  const { records, notes } = await recoverDatabase(file, { newSuffix: () => 'suffix' })
  assert.equal([records.count('customers'), notes, broken], [2, [], []])
})

test('treats the journal as broken when both its end mark and the truncation fail', async ({
  file,
  disk,
}) => {
  const broken: unknown[] = []
  const journal = await openJournal(file, {}, (error) => broken.push(error))
  disk.plan = ['EIO']
  disk.onTruncate = () => Promise.reject(new Error('EIO: truncate'))
  assert.match((await rejection(journal.rotate())).message, 'EIO')
  assert.equal([broken.length, journal.failure !== null], [1, true])
  await rejection(store(journal, 'cus_1'))
  await journal.close()
})

test.run()
