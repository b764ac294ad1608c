import { chmod, type FileHandle, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { getJournalPath, type Journal, type JournalPosition } from '../../../src/store/file/journal.ts'
import { decodeLine } from '../../../src/store/file/journal-lines.ts'
import { newFolder } from '../../support/folders.ts'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { codeOf, rejection, turns } from '../fixture.ts'
import { breakDisk, type FailingDisk, handlePrototype, hold } from './failing-disk.ts'
import { closeJournals, openJournal } from './open-journal.ts'

interface JournalContext {
  folder: string
  file: string
  disk: FailingDisk
  broken: unknown[]
  open: (position?: Partial<JournalPosition>) => Promise<Journal>
}

const test = suite<JournalContext>('store/journal')

const PROPERTY_RUNS = 40

test.before.each(async (context) => {
  context.folder = newFolder()
  context.file = join(context.folder, 'paycli.json')
  context.disk = await breakDisk()
  context.broken = []
  context.open = (position) => openJournal(context.file, position, (error) => context.broken.push(error))
})

test.after.each(({ disk }) => {
  disk.repair()
  return closeJournals()
})

/** Returns a transaction that stores a counter with this value. */
const operations = (value: number) => JSON.stringify([['p', { id: 'n', object: 'counter', value }]])

/** Appends a counter; adds the value to `undone` when the transaction is undone. */
function append(journal: Journal, value: number, undone: number[] = []): Promise<void> {
  return journal.append(operations(value), () => undone.push(value))
}

/** Returns transaction number, batch and counter of each line of a journal file. */
async function linesOf(file: string, generation: number): Promise<[number, number, number][]> {
  const text = await readFile(getJournalPath(file, generation))
  return text
    .toString('latin1')
    .split('\n')
    .slice(0, -1)
    .filter((line, index, all) => line !== '' || index < all.length - 1)
    .map((line) => {
      const { transaction, batch, writes } = decodeLine(Buffer.from(line, 'latin1'), generation) ?? {}
      const [write] = writes ?? []
      const value = write && 'put' in write && 'value' in write.put ? Number(write.put.value) : Number.NaN
      return [transaction ?? 0, batch ?? 0, value]
    })
}

test('transactions that arrive during a write share the next write', async ({ file, disk, open }) => {
  const journal = await open()
  const later: Promise<void>[] = []
  disk.onWrite = async () => {
    later.push(append(journal, 20), append(journal, 30), append(journal, 40))
  }
  await append(journal, 10)
  await Promise.all(later)
  assert.is(disk.writes, 2)
  assert.equal(await linesOf(file, 0), [
    [1, 1, 10],
    [2, 2, 20],
    [3, 2, 30],
    [4, 2, 40],
  ])
})

test('transactions that arrive in one turn of the event loop share a write', async ({ disk, open }) => {
  const journal = await open()
  await Promise.all(Array.from({ length: 50 }, (_, value) => append(journal, value)))
  assert.is(disk.writes, 1)
})

test('does not wait for further transactions after a write with a single transaction', async ({
  disk,
  open,
}) => {
  const journal = await open()
  await append(journal, 0)
  const first = append(journal, 1)
  for (const _ of Array(9)) await undefined
  await Promise.all([first, append(journal, 2)])
  assert.is(disk.writes, 3)
})

test('append resolves only after its write has returned', async ({ disk, open }) => {
  const journal = await open()
  const release = hold(disk)
  const resolved: number[] = []
  const both = [1, 2].map((value) => append(journal, value).then(() => resolved.push(value)))
  const settled = [1, 2, 0].map((number) =>
    journal.waitUntilSettled(number).then(() => resolved.push(-number)),
  )
  await turns(20)
  assert.is(disk.writes, 1)
  assert.equal(resolved, [-0])
  assert.is(journal.position.transaction, 0)
  release()
  await Promise.all([...both, ...settled])
  assert.is(journal.position.transaction, 2)
})

test('a reopened journal continues after its intact part with the next transaction number', async ({
  file,
  open,
}) => {
  const first = await open()
  await append(first, 1)
  const { offset: size } = first.position
  await append(first, 2)
  await first.close()
  const second = await open({ offset: size, transaction: 1 })
  await append(second, 3)
  assert.equal(await linesOf(file, 0), [
    [1, 1, 1],
    [2, 2, 3],
  ])
  await second.close()
})

test('a rotation under load neither loses nor repeats a transaction', async ({ folder, file, open }) => {
  const anyStep = fc.record({ appends: fc.nat(4), pauses: fc.nat(6), rotates: fc.boolean() })
  const property = fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), async (steps) => {
    for (const name of await readdir(folder)) await rm(join(folder, name))
    const journal = await open()
    const promises: Promise<unknown>[] = []
    const boundaries: number[] = []
    let value = 0
    for (const { appends, pauses, rotates } of steps) {
      if (rotates) promises.push(journal.rotate().then((last) => boundaries.push(last)))
      for (const each of Array.from({ length: appends }, (_, index) => value + index + 1)) {
        promises.push(append(journal, each))
      }
      value += appends
      await turns(pauses)
    }
    await Promise.all(promises)
    const { generation } = journal.position
    await journal.close()
    const files = await Promise.all(Array.from({ length: generation + 1 }, (_, each) => linesOf(file, each)))
    const all = files.flat()
    assert.equal(
      all.map(([transaction]) => transaction),
      Array.from({ length: value }, (_, index) => index + 1),
    )
    for (const [transaction, batch, kept] of all) assert.ok(kept === transaction && batch <= transaction)
    const ends = files.slice(0, -1).map((lines) => lines.at(-1)?.[0])
    for (const end of ends) assert.ok(end === undefined || boundaries.includes(end), `${ends} ${boundaries}`)
  })
  await fc.assert(property, { ...propertySettings, numRuns: PROPERTY_RUNS })
})

test('a journal continues in its file when the rotation fails', async ({ folder, file, open }) => {
  const journal = await open()
  await mkdir(getJournalPath(file, 1))
  await Promise.all([append(journal, 1), rejection(journal.rotate()), append(journal, 2)])
  assert.is(journal.position.generation, 0)
  await rm(getJournalPath(file, 1), { recursive: true })
  assert.is(await journal.rotate(), 2)
  await append(journal, 3)
  await journal.close()
  assert.equal(await linesOf(file, 1), [[3, 3, 3]])
  assert.equal((await readdir(folder)).length, 2)
})

test('removes the new file when its directory entry cannot be made durable', async ({ folder, open }) => {
  const journal = await open()
  const prototype = await handlePrototype()
  const { sync } = prototype
  prototype.sync = async () => {
    throw new Error('the folder cannot be synced')
  }
  try {
    assert.match(await codeOf(journal.rotate()), 'cannot be synced')
  } finally {
    prototype.sync = sync
  }
  assert.equal(await readdir(folder), ['paycli.json.journal-0'])
  await append(journal, 1)
  assert.is(await journal.rotate(), 1)
})

test('a full disk undoes transactions in reverse order', async ({ file, disk, open }) => {
  const journal = await open()
  await append(journal, 1)
  const undone: number[] = []
  const later: Promise<string>[] = []
  disk.plan = ['ENOSPC']
  disk.onWrite = async () => {
    later.push(codeOf(append(journal, 3, undone)), codeOf(append(journal, 4, undone)))
  }
  assert.is(await codeOf(append(journal, 2, undone)), 'storage_full')
  assert.equal(await Promise.all(later), ['storage_full', 'storage_full'])
  assert.equal(undone, [4, 3, 2])
  assert.equal([journal.lastTransaction, journal.position.transaction, journal.undoCount], [1, 1, 1])
  await append(journal, 5)
  assert.equal(await linesOf(file, 0), [
    [1, 1, 1],
    [2, 2, 5],
  ])
})

test('removes a failed write durably from the journal before it rejects the transaction', async ({
  file,
  disk,
  open,
}) => {
  const journal = await open()
  await append(journal, 1)
  const { size } = await stat(getJournalPath(file, 0))
  const prototype = await handlePrototype()
  const { datasync } = prototype
  const sizes: number[] = []
  prototype.datasync = async function sizeThenSync(this: FileHandle) {
    sizes.push((await this.stat()).size)
    return datasync.call(this)
  }
  try {
    disk.plan = ['ENOSPC']
    assert.is(await codeOf(append(journal, 2)), 'storage_full')
  } finally {
    prototype.datasync = datasync
  }
  assert.equal(sizes, [size])
})

test('rejects all writes after a failure other than a full disk', async ({ disk, broken, open }) => {
  const journal = await open()
  const undone: number[] = []
  const waiting: Promise<string>[] = []
  disk.plan = ['EIO']
  disk.onWrite = async () => {
    waiting.push(codeOf(append(journal, 2, undone)), codeOf(journal.rotate()))
  }
  assert.is(await codeOf(append(journal, 1, undone)), 'unavailable')
  assert.equal(await Promise.all(waiting), ['unavailable', 'unavailable'])
  assert.is(await codeOf(append(journal, 3, undone)), 'unavailable')
  assert.is(await codeOf(journal.rotate()), 'unavailable')
  assert.equal(undone, [2, 1, 3])
  assert.equal([disk.writes, broken.length, journal.failure !== null], [1, 1, true])
  assert.equal([journal.position, journal.lastTransaction], [{ generation: 0, offset: 0, transaction: 0 }, 0])
  await journal.close()
})

test('sets the mode of all journal files to 0600', async ({ file, open }) => {
  const mask = process.umask(0)
  try {
    const journal = await open()
    await journal.rotate()
    await journal.close()
    await chmod(getJournalPath(file, 1), 0o666)
    await (await open({ generation: 1 })).close()
    for (const generation of [0, 1]) {
      assert.is((await stat(getJournalPath(file, generation))).mode & 0o777, 0o600)
    }
  } finally {
    process.umask(mask)
  }
})

test.run()
