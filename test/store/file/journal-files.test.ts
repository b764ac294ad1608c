import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Journal } from '../../../src/store/file/journal.ts'
import { encodeOperations } from '../../../src/store/file/journal-lines.ts'
import { recoverDatabase } from '../../../src/store/file/recovery.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, nextTurn, rejection } from '../fixture.ts'
import { breakDisk, type FailingDisk } from './failing-disk.ts'

interface Context {
  folder: string
  file: string
  disk: FailingDisk
}

const test = suite<Context>('store/journal-files')

test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'paycli-journal-files-'))
  context.file = join(context.folder, 'paycli.json')
  context.disk = await breakDisk()
})

test.after.each(async ({ folder, disk }) => {
  disk.repair()
  await rm(folder, { recursive: true, force: true })
})

const START = { generation: 0, offset: 0, transaction: 0 }

const store = (journal: Journal, id: string) =>
  journal.append(encodeOperations([{ put: customer(id) }]), () => undefined)

test('continues the journal and removes the next file when the disk is full during a rotation', async ({
  folder,
  file,
  disk,
}) => {
  const broken: unknown[] = []
  const journal = await Journal.open(file, START, {
    onBroken: (error) => broken.push(error),
    yieldToEventLoop: nextTurn,
  })
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
  const journal = await Journal.open(file, START, {
    onBroken: (error) => broken.push(error),
    yieldToEventLoop: nextTurn,
  })
  disk.plan = ['EIO']
  disk.onTruncate = () => Promise.reject(new Error('EIO: truncate'))
  assert.match((await rejection(journal.rotate())).message, 'EIO')
  assert.equal([broken.length, journal.failure !== null], [1, true])
  await rejection(store(journal, 'cus_1'))
  await journal.close()
})

test.run()
