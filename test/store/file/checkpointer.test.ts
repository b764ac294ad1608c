import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { getJournalPath } from '../../../src/store/file/journal.ts'
import { recoverDatabase } from '../../../src/store/file/recovery.ts'
import type { MemoryRecords } from '../../../src/store/memory/memory-records.ts'
import { newFolder } from '../../support/folders.ts'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { type AnyWrite, anyWrite } from '../any-changes.ts'
import { dumpRecords } from '../dump-records.ts'
import { customer, rejection, subscription, waitForNextTurn } from '../fixture.ts'
import { SAMPLES } from '../samples.ts'
import { openCheckpointed } from './checkpointed-database.ts'
import { breakDisk, type FailingDisk } from './failing-disk.ts'
import { closeJournals } from './open-journal.ts'

const test = suite<{ folder: string; disk: FailingDisk }>('store/checkpoints')

const PROPERTY_RUNS = 60

test.before.each(async (context) => {
  context.folder = newFolder()
  context.disk = await breakDisk()
})

test.after.each(async ({ disk }) => {
  disk.repair()
  await closeJournals()
})

const start = (folder: string, options?: Parameters<typeof openCheckpointed>[1]) =>
  openCheckpointed(join(folder, 'paycli.json'), options)

/** Recovers a copy of the files, as after a crash. */
async function afterCrash(folder: string): Promise<MemoryRecords> {
  const copy = newFolder()
  try {
    await cp(folder, copy, { recursive: true })
    return (await recoverDatabase(join(copy, 'paycli.json'), { newSuffix: () => 'suffix' })).records
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

const customers = (count: number): AnyWrite[] =>
  Array.from({ length: count }, (_, index) => ({ put: { ...customer(`cus_${index}`) } }))

const filesIn = async (folder: string) => (await readdir(folder)).sort()

const anyChanges = fc.array(fc.array(anyWrite, { minLength: 1, maxLength: 4 }), { maxLength: 12 })

test('a checkpoint with any concurrent changes equals the contents in memory', async ({ folder }) => {
  const property = fc.asyncProperty(anyChanges, anyChanges, fc.boolean(), async (before, during, waits) => {
    await rm(folder, { recursive: true })
    await mkdir(folder)
    const promises: Promise<void>[] = []
    const todo = [...during]
    const onYield = async () => {
      const writes = todo.shift()
      if (writes) promises.push(subject.change(writes))
      if (waits) await promises.at(-1)
      else await waitForNextTurn()
    }
    const subject = await start(folder, { onYield })
    for (const writes of before) promises.push(subject.change(writes))
    await subject.checkpoints.checkpoint(false)
    for (const writes of todo) promises.push(subject.change(writes))
    await Promise.all(promises)
    assert.equal(dumpRecords(await afterCrash(folder)), dumpRecords(subject.records))
  })
  await fc.assert(property, { ...propertySettings, numRuns: PROPERTY_RUNS })
})

test('a crash at any step of a checkpoint loses no acknowledged transaction', async ({ folder }) => {
  let step = 0
  const onYield = async () => {
    step += 1
    await subject.change([
      { put: { ...customer(`cus_step_${step}`) } },
      { remove: { ...customer(`cus_${30 - step}`) } },
    ])
    assert.ok(
      existsSync(getJournalPath(subject.file, 0)),
      'old journals must exist until the snapshot is in place',
    )
    assert.equal(dumpRecords(await afterCrash(folder)), dumpRecords(subject.records))
  }
  const subject = await start(folder, { onYield })
  await subject.change(customers(16))
  assert.is(await subject.checkpoints.checkpoint(false), true)
  assert.ok(step > 10)
  assert.equal(await filesIn(folder), ['paycli.json', 'paycli.json.journal-1'])
  assert.equal(dumpRecords(await afterCrash(folder)), dumpRecords(subject.records))
})

for (const [kind, other] of [
  ['listed', (id: string) => ({ ...subscription(id) })],
  ['unlisted', (id: string) => ({ ...SAMPLES.webhook_secrets, id })],
] as const) {
  test(`keeps the position of a ${kind} record that is removed and stored again during a checkpoint`, async ({
    folder,
  }) => {
    const changes: AnyWrite[] = [{ remove: other('one') }, { put: other('one') }, { put: other('three') }]
    const onYield = async () => subject.change([changes.shift() ?? { put: { ...customer('cus_0') } }])
    const subject = await start(folder, { onYield })
    await subject.change([...customers(4), { put: other('one') }, { put: other('two') }])
    assert.is(await subject.checkpoints.checkpoint(false), true)
    assert.is(changes.length, 0)
    assert.equal(dumpRecords(await afterCrash(folder)), dumpRecords(subject.records))
  })
}

test('deletes old journals only after the new snapshot is in place', async ({ folder }) => {
  const subject = await start(folder)
  await subject.change(customers(3))
  await subject.journal.rotate()
  await subject.change(customers(4))
  await subject.checkpoints.checkpoint(false)
  assert.equal(await filesIn(folder), ['paycli.json', 'paycli.json.journal-2'])
  await subject.checkpoints.checkpoint(true)
  assert.equal(await filesIn(folder), ['paycli.json', 'paycli.json.journal-3'])
  assert.match(await readFile(subject.file, 'utf8'), '"closed":true')
})

test('discards a checkpoint when a transaction is undone during the checkpoint', async ({ folder, disk }) => {
  const failed: Promise<Error>[] = []
  const onYield = async () => {
    if (failed.length > 0) return waitForNextTurn()
    disk.onWrite = async () => {}
    disk.plan = ['ENOSPC']
    failed.push(rejection(subject.change([{ put: { ...customer('cus_failed') } }])))
    await failed[0]
  }
  const subject = await start(folder, { onYield })
  await subject.change(customers(5))
  assert.is(await subject.checkpoints.checkpoint(false), false)
  assert.is(failed.length, 1)
  assert.equal(await filesIn(folder), ['paycli.json.journal-0', 'paycli.json.journal-1'])
  assert.equal(dumpRecords(await afterCrash(folder)), dumpRecords(subject.records))
  assert.is(await subject.checkpoints.checkpoint(false), true)
  assert.equal(await filesIn(folder), ['paycli.json', 'paycli.json.journal-2'])
  assert.not.match(await readFile(subject.file, 'utf8'), 'cus_failed')
})

test('replaces the snapshot only after all transactions in it are durable', async ({ folder, disk }) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const pending: Promise<void>[] = []
  const onYield = async () => {
    if (pending.length > 0) return waitForNextTurn()
    disk.onWrite = () => promise
    pending.push(subject.change([{ put: { ...customer('cus_4', { name: 'Pending' }) } }]))
    while (disk.writes < 2) await waitForNextTurn()
  }
  const subject = await start(folder, { onYield })
  await subject.change(customers(5))
  const making = subject.checkpoints.checkpoint(false)
  while (disk.writes < 3) await waitForNextTurn()
  for (let turns = 0; turns < 20; turns += 1) await waitForNextTurn()
  assert.not(existsSync(subject.file))
  resolve()
  assert.is(await making, true)
  await Promise.all(pending)
  assert.match(await readFile(subject.file, 'utf8'), 'Pending')
})

test('a failed checkpoint keeps the journals and reports the error', async ({ folder, disk }) => {
  const subject = await start(folder, { minJournalBytes: 100 })
  await subject.change(customers(5))
  // The first write is the end mark of the journal, and the second write is the snapshot.
  disk.plan = ['succeeds', 'ENOSPC']
  subject.checkpoints.startIfNeeded()
  await subject.checkpoints.waitUntilIdle()
  await waitForNextTurn()
  assert.match(String(subject.failures), 'ENOSPC')
  assert.equal(await filesIn(folder), ['paycli.json.journal-0', 'paycli.json.journal-1'])
  assert.equal(dumpRecords(await afterCrash(folder)), dumpRecords(subject.records))
  await subject.change(customers(6))
  subject.checkpoints.startIfNeeded()
  await subject.checkpoints.waitUntilIdle()
  assert.equal(await filesIn(folder), ['paycli.json', 'paycli.json.journal-2'])
})

test('retries a failed checkpoint after the journal has grown by the limit again', async ({ folder }) => {
  const subject = await start(folder, { minJournalBytes: 1000 })
  await cp(process.execPath, getJournalPath(subject.file, 1))
  for (let writes = 0; writes < 8; writes += 1) {
    await subject.change(customers(1))
    subject.checkpoints.startIfNeeded()
    await subject.checkpoints.waitUntilIdle()
    await waitForNextTurn()
  }
  const attempts = subject.failures.length
  assert.ok(
    attempts >= 1 && attempts <= subject.journal.position.offset / 1000,
    `${attempts} attempts for ${subject.journal.position.offset} bytes`,
  )
})

test('starts a checkpoint when the journal is larger than the limit and the snapshot', async ({ folder }) => {
  const subject = await start(folder, { minJournalBytes: 2000 })
  const { journal, checkpoints } = subject
  await subject.change(customers(1))
  checkpoints.startIfNeeded()
  await checkpoints.waitUntilIdle()
  assert.is(journal.position.generation, 0)
  await subject.change(customers(50))
  for (let times = 0; times < 3; times += 1) checkpoints.startIfNeeded()
  await checkpoints.waitUntilIdle()
  assert.is(journal.position.generation, 1)
  await subject.change(customers(20))
  assert.ok(journal.position.offset > 2000)
  checkpoints.startIfNeeded()
  await checkpoints.waitUntilIdle()
  assert.is(journal.position.generation, 1, 'the snapshot is larger than the journal')
})

test('starts no checkpoint after the disk failed', async ({ folder, disk }) => {
  const subject = await start(folder, { minJournalBytes: 0 })
  await subject.change(customers(3))
  disk.plan = ['EIO']
  await rejection(subject.change(customers(4)))
  subject.checkpoints.startIfNeeded()
  await subject.checkpoints.waitUntilIdle()
  assert.equal([subject.journal.position.generation, subject.failures], [0, []])
  await rejection(subject.checkpoints.checkpoint(true))
  assert.equal(await filesIn(folder), ['paycli.json.journal-0'])
})

test.run()
