import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { JSONFilePreset } from 'lowdb/node'
import { type Checkpoints, openCheckpoints } from '../../../src/store/file/checkpoints.ts'
import { Journal, journalFile } from '../../../src/store/file/journal.ts'
import { encodeOperations } from '../../../src/store/file/journal-lines.ts'
import { recover } from '../../../src/store/file/recovery.ts'
import { Records } from '../../../src/store/memory/records.ts'
import type { Write } from '../../../src/store/port/store.ts'
import { chance } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { type AnyWrite, anyWrite } from '../any-changes.ts'
import { everything } from '../everything.ts'
import { customer, rejection, subscription, turn } from '../fixture.ts'
import { SAMPLES } from '../samples.ts'
import { breakDisk, type FailingDisk } from './failing-disk.ts'

/** A database that a test changes step by step while a checkpoint is made. */
interface Subject {
  readonly file: string
  readonly records: Records
  readonly journal: Journal
  readonly checkpoints: Checkpoints
  readonly failures: unknown[]
  /** Stores a transaction; resolves when it is on disk. */
  readonly change: (writes: readonly AnyWrite[]) => Promise<void>
}

interface Options {
  /** Called where the checkpoint gives way: after each record. */
  readonly pause?: () => Promise<void>
  readonly minJournalBytes?: number
}

const test = suite<{ folder: string; disk: FailingDisk }>('store/checkpoints')

const PROPERTY_RUNS = 60

test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'paycli-checkpoints-'))
  context.disk = await breakDisk()
})

test.after.each(async ({ folder, disk }) => {
  disk.repair()
  await Promise.allSettled(opened.splice(0).map((journal) => journal.close()))
  await rm(folder, { recursive: true, force: true })
})

/** Journals to be closed in the end. */
const opened: Journal[] = []

let counted = 0
const count = () => {
  counted += 1
  return counted
}

async function start(folder: string, { pause = turn, ...options }: Options = {}): Promise<Subject> {
  const file = join(folder, 'paycli.json')
  const records = new Records()
  const position = { generation: 0, offset: 0, transaction: 0 }
  const journal = await Journal.open(file, position, { onBroken: () => undefined, pause: turn })
  opened.push(journal)
  const failures: unknown[] = []
  const checkpoints = openCheckpoints({
    ...options,
    database: file,
    records,
    journal,
    newSuffix: () => `suffix-${count()}`,
    clockwork: { pause, monotonicMs: () => 10 * count() },
    snapshotBytes: 0,
    oldestGeneration: 0,
    onFailure: (error) => failures.push(error),
  })
  const change = (writes: readonly AnyWrite[]) => {
    const before = records.newest
    const all = writes.map((write): Write => {
      if (!('announce' in write)) return write
      return { put: records.numberEvents([write.announce])[0] ?? write.announce }
    })
    const undo = records.apply(all, { before, stamp: journal.lastTransaction + 1 })
    return journal.append(encodeOperations(all), undo)
  }
  return { file, records, journal, checkpoints, failures, change }
}

/** What a crash at this moment would leave, recovered. */
async function afterCrash(folder: string): Promise<Records> {
  const copy = await mkdtemp(join(tmpdir(), 'paycli-crashed-'))
  try {
    await cp(folder, copy, { recursive: true })
    return (await recover(join(copy, 'paycli.json'), { newSuffix: () => 'suffix' })).records
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

const customers = (count: number): AnyWrite[] =>
  Array.from({ length: count }, (_, index) => ({ put: { ...customer(`cus_${index}`) } }))

const filesIn = async (folder: string) => (await readdir(folder)).sort()

const anyChanges = fc.array(fc.array(anyWrite, { minLength: 1, maxLength: 4 }), { maxLength: 12 })

test('whatever is changed while it is made, the result is what is in memory', async ({ folder }) => {
  const property = fc.asyncProperty(anyChanges, anyChanges, fc.boolean(), async (before, during, waits) => {
    await rm(folder, { recursive: true })
    await mkdir(folder)
    const promises: Promise<void>[] = []
    const todo = [...during]
    const pause = async () => {
      const writes = todo.shift()
      if (writes) promises.push(subject.change(writes))
      if (waits) await promises.at(-1)
      else await turn()
    }
    const subject = await start(folder, { pause })
    for (const writes of before) promises.push(subject.change(writes))
    await subject.checkpoints.make(false)
    for (const writes of todo) promises.push(subject.change(writes))
    await Promise.all(promises)
    assert.equal(everything(await afterCrash(folder)), everything(subject.records))
  })
  await fc.assert(property, { ...chance, numRuns: PROPERTY_RUNS })
})

test('a crash at any of its steps loses nothing that was acknowledged', async ({ folder }) => {
  let step = 0
  const pause = async () => {
    step += 1
    await subject.change([
      { put: { ...customer(`cus_step_${step}`) } },
      { remove: { ...customer(`cus_${30 - step}`) } },
    ])
    assert.ok(existsSync(journalFile(subject.file, 0)), 'no journal goes before the snapshot is there')
    assert.equal(everything(await afterCrash(folder)), everything(subject.records))
  }
  const subject = await start(folder, { pause })
  await subject.change(customers(16))
  assert.is(await subject.checkpoints.make(false), true)
  assert.ok(step > 10)
  assert.equal(await filesIn(folder), ['paycli.json', 'paycli.json.journal-1'])
  assert.equal(everything(await afterCrash(folder)), everything(subject.records))
})

for (const [kind, other] of [
  ['listed', (id: string) => ({ ...subscription(id) })],
  ['never listed', (id: string) => ({ ...SAMPLES.webhook_secrets, id })],
] as const) {
  test(`a record that comes back while it is made keeps its place before those that came later, ${kind}`, async ({
    folder,
  }) => {
    const come: AnyWrite[] = [{ remove: other('one') }, { put: other('one') }, { put: other('three') }]
    const pause = async () => subject.change([come.shift() ?? { put: { ...customer('cus_0') } }])
    const subject = await start(folder, { pause })
    await subject.change([...customers(4), { put: other('one') }, { put: other('two') }])
    assert.is(await subject.checkpoints.make(false), true)
    assert.is(come.length, 0)
    assert.equal(everything(await afterCrash(folder)), everything(subject.records))
  })
}

test('the old journals go only when the new snapshot is in its place', async ({ folder }) => {
  const subject = await start(folder)
  await subject.change(customers(3))
  await subject.journal.rotate()
  await subject.change(customers(4))
  await subject.checkpoints.make(false)
  assert.equal(await filesIn(folder), ['paycli.json', 'paycli.json.journal-2'])
  await subject.checkpoints.make(true)
  assert.equal(await filesIn(folder), ['paycli.json', 'paycli.json.journal-3'])
  assert.match(await readFile(subject.file, 'utf8'), '"closed":true')
})

test('a transaction that is taken back while it is made drops it, and the next one counts', async ({
  folder,
  disk,
}) => {
  const refused: Promise<Error>[] = []
  const pause = async () => {
    if (refused.length > 0) return turn()
    disk.onWrite = async () => {}
    disk.plan = ['ENOSPC']
    refused.push(rejection(subject.change([{ put: { ...customer('cus_refused') } }])))
    await refused[0]
  }
  const subject = await start(folder, { pause })
  await subject.change(customers(5))
  assert.is(await subject.checkpoints.make(false), false)
  assert.is(refused.length, 1)
  assert.equal(await filesIn(folder), ['paycli.json.journal-0', 'paycli.json.journal-1'])
  assert.equal(everything(await afterCrash(folder)), everything(subject.records))
  assert.is(await subject.checkpoints.make(false), true)
  assert.equal(await filesIn(folder), ['paycli.json', 'paycli.json.journal-2'])
  assert.not.match(await readFile(subject.file, 'utf8'), 'cus_refused')
})

test('it does not count before all that it holds is on disk', async ({ folder, disk }) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const pending: Promise<void>[] = []
  const pause = async () => {
    if (pending.length > 0) return turn()
    disk.onWrite = () => promise
    pending.push(subject.change([{ put: { ...customer('cus_4', { name: 'Pending' }) } }]))
    while (disk.writes < 2) await turn()
  }
  const subject = await start(folder, { pause })
  await subject.change(customers(5))
  const making = subject.checkpoints.make(false)
  while (disk.writes < 3) await turn()
  for (let turns = 0; turns < 20; turns += 1) await turn()
  assert.not(existsSync(subject.file))
  resolve()
  assert.is(await making, true)
  await Promise.all(pending)
  assert.match(await readFile(subject.file, 'utf8'), 'Pending')
})

test('one that fails leaves no temporary file, keeps the journals, and is told', async ({ folder, disk }) => {
  const subject = await start(folder, { minJournalBytes: 100 })
  await subject.change(customers(5))
  // The end of the journal, then the snapshot.
  disk.plan = ['succeeds', 'ENOSPC']
  subject.checkpoints.consider()
  await subject.checkpoints.finished()
  await turn()
  assert.match(String(subject.failures), 'ENOSPC')
  assert.equal(await filesIn(folder), ['paycli.json.journal-0', 'paycli.json.journal-1'])
  assert.equal(everything(await afterCrash(folder)), everything(subject.records))
  await subject.change(customers(6))
  subject.checkpoints.consider()
  await subject.checkpoints.finished()
  assert.equal(await filesIn(folder), ['paycli.json', 'paycli.json.journal-2'])
})

test('one that fails is not tried again before the journal has grown as much once more', async ({
  folder,
}) => {
  const subject = await start(folder, { minJournalBytes: 1000 })
  await cp(process.execPath, journalFile(subject.file, 1))
  for (let writes = 0; writes < 8; writes += 1) {
    await subject.change(customers(1))
    subject.checkpoints.consider()
    await subject.checkpoints.finished()
    await turn()
  }
  const tries = subject.failures.length
  assert.ok(
    tries >= 1 && tries <= subject.journal.size / 1000,
    `${tries} tries for ${subject.journal.size} bytes`,
  )
})

test('it is made when the journal has outgrown both the limit and the snapshot, one at a time', async ({
  folder,
}) => {
  const subject = await start(folder, { minJournalBytes: 2000 })
  const { journal, checkpoints } = subject
  await subject.change(customers(1))
  checkpoints.consider()
  await checkpoints.finished()
  assert.is(journal.generation, 0)
  await subject.change(customers(50))
  for (let times = 0; times < 3; times += 1) checkpoints.consider()
  await checkpoints.finished()
  assert.is(journal.generation, 1)
  await subject.change(customers(20))
  assert.ok(journal.size > 2000)
  checkpoints.consider()
  await checkpoints.finished()
  assert.is(journal.generation, 1, 'the snapshot is larger than the journal')
})

test('none is begun on a disk that failed', async ({ folder, disk }) => {
  const subject = await start(folder, { minJournalBytes: 0 })
  await subject.change(customers(3))
  disk.plan = ['EIO']
  await rejection(subject.change(customers(4)))
  subject.checkpoints.consider()
  await subject.checkpoints.finished()
  assert.equal([subject.journal.generation, subject.failures], [0, []])
  await rejection(subject.checkpoints.make(true))
  assert.equal(await filesIn(folder), ['paycli.json.journal-0'])
})

test('the preset of lowdb reads the file of a database that is in use', async ({ folder }) => {
  const subject = await start(folder)
  await subject.change(customers(3))
  await subject.checkpoints.make(false)
  const { data } = await JSONFilePreset<Record<string, unknown>>(subject.file, {})
  assert.equal(JSON.stringify(data['customers']), JSON.stringify([...subject.records.all('customers')]))
})

test.run()
