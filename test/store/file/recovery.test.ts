import {
  appendFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { DatabaseDamaged, DatabaseIncomplete } from '../../../src/store/disk/corruption-error.ts'
import { Journal, journalFile } from '../../../src/store/file/journal.ts'
import { encodeLine, encodeOperations } from '../../../src/store/file/journal-lines.ts'
import { markClosed, markOpen } from '../../../src/store/file/open-mark.ts'
import { type Recovered, recover } from '../../../src/store/file/recovery.ts'
import { readSnapshot } from '../../../src/store/file/snapshot-reader.ts'
import { type SnapshotMeta, writeSnapshot } from '../../../src/store/file/snapshot-writer.ts'
import { chance } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, rejection, turn } from '../fixture.ts'
import { SAMPLES } from '../samples.ts'
import { flips, journalImage, loseSectors, sectorsFrom, writesOf } from './images.ts'

interface Place {
  folder: string
  file: string
}

const test = suite<Place>('store/recovery')

const IMAGE = journalImage([[4], [30, 0, 9], [700], [5, 900, 3]])
const PROPERTY_RUNS = 30
/** Recovering takes a folder and some syncs, so not each of the bytes that the reader's own tests try is tried here. */
const STEP_BYTES = 37

test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'paycli-recovery-'))
  context.file = join(context.folder, 'paycli.json')
})

test.after.each(async ({ folder }) => {
  await rm(folder, { recursive: true, force: true })
})

const open = ({ file }: Place) => recover(file, { newSuffix: () => 'suffix' })

const idsIn = ({ records }: Recovered) => [...records.all('customers')].map(({ id }) => id)

const ids = (count: number) => Array.from({ length: count }, (_, index) => `cus_${index + 1}`)

/** Recovers, stores one transaction more, and recovers again. */
async function goOn(place: Place): Promise<string[]> {
  const { position } = await open(place)
  const journal = await Journal.open(place.file, position, { onBroken: () => undefined, pause: turn })
  await journal.append(encodeOperations([{ put: customer('cus_next') }]), () => undefined)
  await journal.close()
  const again = await open(place)
  assert.equal(again.notes, [])
  return idsIn(again)
}

async function clear({ folder }: Place): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name))
}

async function damageOf(place: Place): Promise<DatabaseDamaged> {
  const error = await rejection(open(place))
  if (!(error instanceof DatabaseDamaged)) throw error
  const isMissing = error instanceof DatabaseIncomplete
  assert.match(error.message, `${error.file} is ${isMissing ? 'missing' : `damaged at byte ${error.byte}: `}`)
  return error
}

/** Writes one generation of the journal with a line for each of the given transactions. */
async function writeJournal(
  { file }: Place,
  generation: number,
  transactions: readonly number[],
): Promise<void> {
  const lines = transactions.map((transaction) =>
    encodeLine(encodeOperations(writesOf(transaction, 4)), { transaction, batch: transaction, generation }),
  )
  await writeFile(journalFile(file, generation), lines.join(''))
}

/** Writes a snapshot of what there is, followed by the journal of a generation. */
async function snapshot(place: Place, own: Partial<SnapshotMeta>): Promise<void> {
  const { records, position } = await open(place)
  const meta = { format: 1, generation: 1, sequence: records.sequence, closed: false, ...own }
  await writeSnapshot({ database: place.file, suffix: 'snapshot' }, records, {
    meta: { transaction: position.transaction, ...meta },
    clockwork: { pause: turn, monotonicMs: () => 0 },
    isWhole: async () => true,
  })
}

test('a torn tail is set aside in a file of its own, told, and cut off by going on', async (place) => {
  const journal = journalFile(place.file, 0)
  for (let cut = IMAGE.lastBatch; cut < IMAGE.bytes.length; cut += STEP_BYTES) {
    await clear(place)
    await writeFile(journal, IMAGE.bytes.subarray(0, cut))
    const recovered = await open(place)
    const whole = IMAGE.starts.findLastIndex((start) => start <= cut)
    const start = IMAGE.starts[whole] ?? 0
    assert.equal(idsIn(recovered), ids(whole))
    assert.equal(recovered.position, { generation: 0, offset: start, transaction: whole })
    const aside = (await readdir(place.folder)).filter((name) => name.includes('.torn-'))
    assert.equal([aside.length, recovered.notes.length], start === cut ? [0, 0] : [1, 1], `cut at ${cut}`)
    for (const name of aside) {
      const path = join(place.folder, name)
      assert.match(recovered.notes.join(), path)
      assert.ok((await readFile(path)).equals(IMAGE.bytes.subarray(start, cut)))
      assert.is((await stat(path)).mode & 0o777, 0o600)
    }
    assert.equal(await goOn(place), [...ids(whole), 'cus_next'])
  }
})

test('a last batch with lost sectors is recovered from, and the database goes on', async (place) => {
  const sectors = sectorsFrom(IMAGE.bytes, IMAGE.lastBatch)
  const property = fc.asyncProperty(fc.subarray(sectors), async (lost) => {
    await clear(place)
    await writeFile(journalFile(place.file, 0), loseSectors(IMAGE.bytes, lost, IMAGE.lastBatch))
    const recovered = await open(place)
    const found = idsIn(recovered)
    assert.equal(found, ids(found.length))
    assert.ok(found.length >= IMAGE.acknowledged)
    assert.is(recovered.notes.length, lost.length === 0 ? 0 : 1)
    assert.equal(await goOn(place), [...found, 'cus_next'])
  })
  await fc.assert(property, { ...chance, numRuns: PROPERTY_RUNS })
})

test('a changed byte of the journal is refused, and nothing is changed', async (place) => {
  const journal = journalFile(place.file, 0)
  for (let at = 0; at < IMAGE.bytes.length; at += STEP_BYTES) {
    for (const { bytes } of flips(IMAGE.bytes, at)) {
      await writeFile(journal, bytes)
      const { file, byte } = await damageOf(place)
      assert.equal([file, byte], [journal, IMAGE.starts.findLast((start) => start <= at)])
      assert.ok((await readFile(journal)).equals(bytes))
    }
  }
  assert.equal(await readdir(place.folder), ['paycli.json.journal-0'])
})

test('any changed byte of a snapshot is refused: of its frame, its records and its checksums', async (place) => {
  await writeJournal(place, 0, [1, 2, 3])
  await snapshot(place, { closed: true })
  const text = await readFile(place.file)
  const reading = { load: () => undefined, onProgress: () => undefined }
  for (const at of text.keys()) {
    for (const { bytes } of [...flips(text, at)].slice(0, at % 11 === 0 ? undefined : 1)) {
      await writeFile(place.file, bytes)
      const error = await rejection(readSnapshot(place.file, reading))
      assert.instance(error, DatabaseDamaged, `byte ${at}: ${error.message}`)
      assert.match(error.message, `${place.file} is damaged at byte `)
    }
  }
  assert.equal(await readdir(place.folder), ['paycli.json', 'paycli.json.journal-0'])
})

test('a snapshot cut at any byte is refused', async (place) => {
  await writeJournal(place, 0, [1, 2, 3])
  await snapshot(place, { closed: true })
  const { size } = await stat(place.file)
  for (let cut = size - 1; cut >= 0; cut -= cut > size - 200 ? 1 : STEP_BYTES) {
    await truncate(place.file, cut)
    assert.instance(await rejection(open(place)), DatabaseDamaged, `cut at ${cut}`)
  }
})

test('the journals after the snapshot are replayed in their order', async (place) => {
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

test('a journal that is torn and not the last is refused', async (place) => {
  await writeJournal(place, 0, [1, 2])
  await truncate(journalFile(place.file, 0), 700)
  await writeJournal(place, 1, [])
  assert.is((await damageOf(place)).file, journalFile(place.file, 0))
})

test('a missing file is refused by name: amid the journals, at their start, after a crash, the snapshot', async (place) => {
  const missing = async () => {
    const { file, message } = await damageOf(place)
    assert.match(message, 'missing')
    return file
  }
  await writeJournal(place, 0, [1])
  await writeJournal(place, 2, [2])
  assert.is(await missing(), journalFile(place.file, 1))
  await rm(journalFile(place.file, 2))
  await snapshot(place, {})
  await rm(journalFile(place.file, 0))
  assert.is(await missing(), journalFile(place.file, 1))
  await writeJournal(place, 2, [2])
  assert.is(await missing(), journalFile(place.file, 1))
  await writeJournal(place, 1, [])
  await rm(place.file)
  assert.is(await missing(), place.file)
})

test('a journal that ended is refused without the next one, and read with it', async (place) => {
  await writeJournal(place, 0, [1, 2])
  await appendFile(journalFile(place.file, 0), '\n')
  assert.is((await damageOf(place)).file, journalFile(place.file, 1))
  await writeJournal(place, 1, [3])
  assert.equal(idsIn(await open(place)), ids(3))
  // A power failure kept back the byte of the mark.
  await writeJournal(place, 0, [1, 2])
  await appendFile(journalFile(place.file, 0), '\0')
  assert.equal(idsIn(await open(place)), ids(3))
})

test('a line after the end of a journal is damage', async (place) => {
  await writeJournal(place, 0, [1])
  const { size } = await stat(journalFile(place.file, 0))
  await appendFile(journalFile(place.file, 0), '\n\n')
  await writeJournal(place, 1, [2])
  assert.is((await damageOf(place)).byte, size)
})

test('a snapshot whose database was opened is refused without a journal', async (place) => {
  await writeJournal(place, 0, [1, 2])
  await snapshot(place, { closed: true })
  await rm(journalFile(place.file, 0))
  await markOpen(place.file)
  assert.is((await damageOf(place)).file, journalFile(place.file, 1))
  await markClosed(place.file)
  assert.equal(idsIn(await open(place)), ids(2))
})

test('after a clean close no journal need be there', async (place) => {
  await writeJournal(place, 0, [1, 2])
  await snapshot(place, { closed: true })
  await rm(journalFile(place.file, 0))
  const recovered = await open(place)
  assert.equal(idsIn(recovered), ids(2))
  assert.equal(recovered.position, { generation: 1, offset: 0, transaction: 2 })
  assert.is(recovered.isClosed, true)
})

test('a folder with nothing in it is an empty database', async (place) => {
  const { records, position, snapshotBytes } = await open(place)
  assert.equal([records.sequence, snapshotBytes], [0, 0])
  assert.equal(position, { generation: 0, offset: 0, transaction: 0 })
})

test('what a crash left over is removed, and what belongs to others stays', async (place) => {
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

test('a symbolic link in place of a journal is refused, and what it leads to is left', async (place) => {
  const target = join(place.folder, 'other')
  await writeFile(target, 'precious')
  await symlink(target, journalFile(place.file, 0))
  assert.match((await rejection(open(place))).message, 'symbolic link')
  assert.is(await readFile(target, 'utf8'), 'precious')
})

test('a snapshot with an intact record that nothing keeps is refused as too new', async (place) => {
  const operations = encodeOperations([{ put: SAMPLES.counters }, { put: { id: 'x', object: 'wallet' } }])
  const line = encodeLine(operations, { transaction: 1, batch: 1, generation: 0 })
  await writeFile(journalFile(place.file, 0), line)
  assert.match((await rejection(open(place))).message, 'Use the version that wrote it')
})

test.run()
