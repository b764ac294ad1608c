import { appendFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseDamagedError, DatabaseIncompleteError } from '../../../src/store/disk/database-errors.ts'
import { getJournalPath } from '../../../src/store/file/journal.ts'
import { encodeLine, encodeWrites } from '../../../src/store/file/journal-lines.ts'
import { type RecoveredDatabase, recoverDatabase } from '../../../src/store/file/recovery.ts'
import { loadSnapshotRecords } from '../../../src/store/file/snapshot-reader.ts'
import { setSnapshotState } from '../../../src/store/file/snapshot-tail.ts'
import { type SnapshotMeta, writeSnapshot } from '../../../src/store/file/snapshot-writer.ts'
import { RECORD_FORMAT_VERSION } from '../../../src/store/port/format.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, rejection, waitForNextTurn } from '../fixture.ts'
import { SAMPLES } from '../samples.ts'
import { createJournalImage, flippedBytes, writesOf } from './journal-images.ts'
import { openJournal } from './open-journal.ts'

interface RecoveryContext {
  folder: string
  file: string
}

// Each test recovers many files, and each recovery waits for the disk.
const test = suite<RecoveryContext>('store/recovery', undefined, 180_000)

const IMAGE = createJournalImage([[4], [30, 0, 9], [700], [5, 900, 3]])
/** Recovery writes files and syncs several times, so the journal tests damage only every `STEP_BYTES`-th byte. */
const STEP_BYTES = 97
/** Truncating a file before a write makes ext4 wait for the disk, which took minutes while other tests ran. */
const IN_PLACE = { flag: 'r+' }

test.before.each((context) => {
  context.folder = newFolder()
  context.file = join(context.folder, 'paycli.json')
})

const open = ({ file }: RecoveryContext) => recoverDatabase(file, { newSuffix: () => 'suffix' })

const idsIn = ({ records }: RecoveredDatabase) => [...records.all('customers')].map(({ id }) => id)

const ids = (count: number) => Array.from({ length: count }, (_, index) => `cus_${index + 1}`)

/** Recovers, stores one more transaction, and recovers again; returns the customer ids. */
async function recoverTwice(place: RecoveryContext): Promise<string[]> {
  const { position } = await open(place)
  const journal = await openJournal(place.file, position)
  await journal.append(encodeWrites([{ put: customer('cus_next') }]), () => undefined)
  await journal.close()
  const again = await open(place)
  assert.equal(again.notes, [])
  return idsIn(again)
}

async function clear({ folder }: RecoveryContext): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name))
}

async function damageOf(place: RecoveryContext): Promise<DatabaseDamagedError> {
  const error = await rejection(open(place))
  if (!(error instanceof DatabaseDamagedError)) throw error
  const isMissing = error instanceof DatabaseIncompleteError
  assert.match(error.message, `${error.file} is ${isMissing ? 'missing' : `damaged at byte ${error.byte}: `}`)
  return error
}

/** Writes a journal file with a line for each transaction. */
async function writeJournal(
  { file }: RecoveryContext,
  generation: number,
  transactions: readonly number[],
): Promise<void> {
  const lines = transactions.map((transaction) =>
    encodeLine(encodeWrites(writesOf(transaction, 4)), { transaction, batch: transaction, generation }),
  )
  await writeFile(getJournalPath(file, generation), lines.join(''))
}

/** Writes a snapshot of the current contents; `own` overrides its meta line. */
async function snapshot(place: RecoveryContext, own: Partial<SnapshotMeta>): Promise<void> {
  const { records, position } = await open(place)
  const meta = {
    format: RECORD_FORMAT_VERSION,
    generation: 1,
    sequence: records.sequence,
    closed: false,
    ...own,
  }
  await writeSnapshot(place.file, records, {
    newSuffix: () => 'snapshot',
    meta: { transaction: position.transaction, ...meta },
    scheduling: { yieldToEventLoop: waitForNextTurn, monotonicMs: () => 0 },
  })
}

test('moves a torn tail to another file, reports it, and truncates the journal', async (place) => {
  const journal = getJournalPath(place.file, 0)
  for (let cut = IMAGE.lastBatch; cut < IMAGE.bytes.length; cut += STEP_BYTES) {
    await clear(place)
    await writeFile(journal, IMAGE.bytes.subarray(0, cut))
    const recovered = await open(place)
    const whole = IMAGE.starts.findLastIndex((start) => start <= cut)
    const start = IMAGE.starts[whole] ?? 0
    assert.equal(idsIn(recovered), ids(whole))
    assert.equal(recovered.position, { generation: 0, offset: start, transaction: whole })
    const copies = (await readdir(place.folder)).filter((name) => name.includes('.torn-'))
    assert.equal([copies.length, recovered.notes.length], start === cut ? [0, 0] : [1, 1], `cut at ${cut}`)
    for (const name of copies) {
      const path = join(place.folder, name)
      assert.match(recovered.notes.join(), path)
      assert.ok((await readFile(path)).equals(IMAGE.bytes.subarray(start, cut)))
      assert.is((await stat(path)).mode & 0o777, 0o600)
    }
    assert.equal(await recoverTwice(place), [...ids(whole), 'cus_next'])
  }
})

test('reports a changed byte of the journal and changes no file', async (place) => {
  const journal = getJournalPath(place.file, 0)
  await writeFile(journal, IMAGE.bytes)
  for (let at = 0; at < IMAGE.bytes.length; at += STEP_BYTES) {
    for (const { bytes } of flippedBytes(IMAGE.bytes, at)) {
      await writeFile(journal, bytes, IN_PLACE)
      const { file, byte } = await damageOf(place)
      assert.equal([file, byte], [journal, IMAGE.starts.findLast((start) => start <= at)])
      assert.ok((await readFile(journal)).equals(bytes))
    }
  }
  assert.equal(await readdir(place.folder), ['paycli.json.journal-0'])
})

test('reports any changed byte of a snapshot', async (place) => {
  await writeJournal(place, 0, [1, 2, 3])
  await snapshot(place, { closed: true })
  const text = await readFile(place.file)
  const reading = { load: () => undefined, onProgress: () => undefined }
  for (const at of text.keys()) {
    for (const { bytes } of [...flippedBytes(text, at)].slice(0, at % 11 === 0 ? undefined : 1)) {
      await writeFile(place.file, bytes, IN_PLACE)
      const error = await rejection(loadSnapshotRecords(place.file, reading))
      assert.instance(error, DatabaseDamagedError, `byte ${at}: ${error.message}`)
      assert.match(error.message, `${place.file} is damaged at byte `)
    }
  }
  assert.equal(await readdir(place.folder), ['paycli.json', 'paycli.json.journal-0'])
})

test('reports a snapshot truncated at any byte', async (place) => {
  await writeJournal(place, 0, [1, 2, 3])
  await snapshot(place, { closed: true })
  const { size } = await stat(place.file)
  for (let cut = size - 1; cut >= 0; cut -= cut > size - 200 ? 1 : STEP_BYTES) {
    await truncate(place.file, cut)
    assert.instance(await rejection(open(place)), DatabaseDamagedError, `cut at ${cut}`)
  }
})

test('replays the journals after the snapshot in order', async (place) => {
  await writeJournal(place, 0, [1, 2])
  await snapshot(place, {})
  await writeJournal(place, 1, [3, 4])
  await writeJournal(place, 2, [])
  await writeJournal(place, 3, [5])
  const recovered = await open(place)
  assert.equal(idsIn(recovered), ids(5))
  const { offset } = recovered.position
  assert.equal(recovered.position, { generation: 3, offset, transaction: 5 })
  assert.equal([recovered.oldestGeneration, recovered.isClosed], [1, false])
  assert.equal((await readdir(place.folder)).includes('paycli.json.journal-0'), false)
})

test('reports a torn journal that is not the last journal as damage', async (place) => {
  await writeJournal(place, 0, [1, 2])
  await truncate(getJournalPath(place.file, 0), 700)
  await writeJournal(place, 1, [])
  assert.is((await damageOf(place)).file, getJournalPath(place.file, 0))
})

test('reports the name of a missing journal or snapshot', async (place) => {
  const missing = async () => {
    const { file, message } = await damageOf(place)
    assert.match(message, 'missing')
    return file
  }
  await writeJournal(place, 0, [1])
  await writeJournal(place, 2, [2])
  assert.is(await missing(), getJournalPath(place.file, 1))
  await rm(getJournalPath(place.file, 2))
  await snapshot(place, {})
  await rm(getJournalPath(place.file, 0))
  assert.is(await missing(), getJournalPath(place.file, 1))
  await writeJournal(place, 2, [2])
  assert.is(await missing(), getJournalPath(place.file, 1))
  await writeJournal(place, 1, [])
  await rm(place.file)
  assert.is(await missing(), place.file)
})

test('requires the next file after a journal with an end mark', async (place) => {
  await writeJournal(place, 0, [1, 2])
  await appendFile(getJournalPath(place.file, 0), '\n')
  assert.is((await damageOf(place)).file, getJournalPath(place.file, 1))
  await writeJournal(place, 1, [3])
  assert.equal(idsIn(await open(place)), ids(3))
  // The byte of the mark was lost in a power failure.
  await writeJournal(place, 0, [1, 2])
  await appendFile(getJournalPath(place.file, 0), '\0')
  assert.equal(idsIn(await open(place)), ids(3))
})

test('reports a line after the end mark as damage', async (place) => {
  await writeJournal(place, 0, [1])
  const { size } = await stat(getJournalPath(place.file, 0))
  await appendFile(getJournalPath(place.file, 0), '\n\n')
  await writeJournal(place, 1, [2])
  assert.is((await damageOf(place)).byte, size)
})

test('requires a journal for a snapshot that is marked as open', async (place) => {
  await writeJournal(place, 0, [1, 2])
  await snapshot(place, { closed: true })
  await rm(getJournalPath(place.file, 0))
  await setSnapshotState(place.file, 'opened')
  assert.is((await damageOf(place)).file, getJournalPath(place.file, 1))
  await setSnapshotState(place.file, 'closed')
  assert.equal(idsIn(await open(place)), ids(2))
})

test('requires no journal after a clean close', async (place) => {
  await writeJournal(place, 0, [1, 2])
  await snapshot(place, { closed: true })
  await rm(getJournalPath(place.file, 0))
  const recovered = await open(place)
  assert.equal(idsIn(recovered), ids(2))
  assert.equal(recovered.position, { generation: 1, offset: 0, transaction: 2 })
  assert.is(recovered.isClosed, true)
})

test('reads an empty folder as an empty database', async (place) => {
  const { records, position, snapshotBytes } = await open(place)
  assert.equal([records.sequence, snapshotBytes], [0, 0])
  assert.equal(position, { generation: 0, offset: 0, transaction: 0 })
})

test('removes files that a crash left, but no other files', async (place) => {
  await writeJournal(place, 0, [1])
  await snapshot(place, {})
  await writeJournal(place, 1, [])
  const others = ['other.json', 'paycli.json.backup', 'paycli.json.journal-old', 'other.json.x.tmp']
  for (const name of [...others, 'paycli.json.x.tmp', 'paycli.json.lock-holder.x.tmp']) {
    await writeFile(join(place.folder, name), 'text')
  }
  await open(place)
  const left = ['paycli.json', 'paycli.json.journal-1', ...others]
  assert.equal((await readdir(place.folder)).sort(), left.sort())
})

test('reports an intact record of an unknown type as written by a newer version', async (place) => {
  const operations = encodeWrites([{ put: SAMPLES.counters }, { put: { id: 'x', object: 'wallet' } }])
  const line = encodeLine(operations, { transaction: 1, batch: 1, generation: 0 })
  await writeFile(getJournalPath(place.file, 0), line)
  assert.match((await rejection(open(place))).message, 'Use the version that wrote it')
})

test.run()
