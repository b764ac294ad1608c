import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { getTemporaryPath } from '../../../src/store/disk/private-file.ts'
import { loadSnapshotRecords } from '../../../src/store/file/snapshot-reader.ts'
import {
  CHECKSUM_BLOCK_BYTES,
  type SnapshotMeta,
  writeSnapshot,
} from '../../../src/store/file/snapshot-writer.ts'
import { MemoryRecords } from '../../../src/store/memory/memory-records.ts'
import { RECORD_FORMAT_VERSION } from '../../../src/store/port/format.ts'
import { PAYCLI_VERSION } from '../../../src/store/port/version.ts'
import { newFolder } from '../../support/folders.ts'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer, rejection, waitForNextTurn } from '../fixture.ts'
import { breakDisk, handlePrototype } from './failing-disk.ts'

interface SnapshotContext {
  folder: string
  file: string
}

const test = suite<SnapshotContext>('store/snapshot-writer')

const META: SnapshotMeta = {
  format: RECORD_FORMAT_VERSION,
  generation: 3,
  transaction: 40,
  sequence: 7,
  closed: true,
}
const PROPERTY_RUNS = 40

test.before.each((context) => {
  context.folder = newFolder()
  context.file = join(context.folder, 'paycli.json')
})

interface WriteOptions {
  readonly canReplace?: boolean
  readonly onYield?: () => Promise<void>
}

const write = (
  { file }: SnapshotContext,
  records: MemoryRecords,
  { canReplace = true, onYield = waitForNextTurn }: WriteOptions = {},
) =>
  writeSnapshot(file, records, {
    newSuffix: () => 'unguessable',
    meta: META,
    scheduling: { yieldToEventLoop: onYield, monotonicMs: () => 0 },
    canReplace: async () => canReplace,
  })

/** Creates customers with names of these lengths in UTF-16 units. */
function filled(nameLengths: readonly number[]): MemoryRecords {
  const records = new MemoryRecords()
  for (const [index, length] of nameLengths.entries()) {
    records.put(customer(`cus_${index}`, { name: 'é\u2028\ud800"'.repeat(length / 4) }))
  }
  return records
}

async function read({
  file,
}: SnapshotContext): Promise<{ meta: SnapshotMeta | null; records: MemoryRecords }> {
  const records = new MemoryRecords()
  const meta = await loadSnapshotRecords(file, {
    load: (record) => records.load(record),
    onProgress: () => undefined,
  })
  return { meta, records }
}

const namesIn = (records: MemoryRecords) =>
  [...records.all('customers')].map((record) => JSON.stringify(record))

test('reads records of any length unchanged, also across blocks', async (place) => {
  const anyLength = fc.oneof(
    fc.nat(200),
    fc.nat(3000),
    fc.nat(CHECKSUM_BLOCK_BYTES),
    fc.constant(5 * CHECKSUM_BLOCK_BYTES),
  )
  const property = fc.asyncProperty(fc.array(anyLength, { maxLength: 20 }), async (lengths) => {
    const records = filled(lengths)
    const bytes = await write(place, records)
    assert.is((await stat(place.file)).size, bytes)
    const found = await read(place)
    assert.equal(found.meta, { ...META, version: PAYCLI_VERSION })
    assert.equal(namesIn(found.records), namesIn(records))
    const parsed = JSON.parse(await readFile(place.file, 'utf8'))
    assert.is(parsed.customers.length, lengths.length)
  })
  await fc.assert(property, { ...propertySettings, numRuns: PROPERTY_RUNS })
})

test('reports a changed byte in a long snapshot at the start of its block', async (place) => {
  await write(place, filled(Array.from({ length: 300 }, () => 800)))
  const text = await readFile(place.file)
  assert.ok(text.length > 8 * CHECKSUM_BLOCK_BYTES)
  for (let at = 0; at < text.length - 300; at += 9973) {
    text[at] = (text[at] ?? 0) ^ 4
    await writeFile(place.file, text)
    const { message } = await rejection(read(place))
    assert.match(message, `damaged at byte ${at - (at % CHECKSUM_BLOCK_BYTES)}: `)
    text[at] = (text[at] ?? 0) ^ 4
  }
})

test('keeps the old snapshot when canReplace returns false', async (place) => {
  await write(place, filled([4, 4]))
  const before = await readFile(place.file)
  assert.is(await write(place, filled([8]), { canReplace: false }), null)
  assert.ok((await readFile(place.file)).equals(before))
  assert.equal(await readdir(place.folder), ['paycli.json'])
})

test('keeps the old snapshot when any write fails', async (place) => {
  await write(place, filled([4, 4]))
  const before = await readFile(place.file)
  const large = filled(Array.from({ length: 1000 }, () => 400))
  const disk = await breakDisk()
  try {
    for (const succeeding of [0, 1, 4]) {
      disk.plan = [...Array.from({ length: succeeding }, () => 'succeeds' as const), 'ENOSPC']
      assert.match((await rejection(write(place, large))).message, 'ENOSPC')
      assert.ok((await readFile(place.file)).equals(before))
      assert.equal(await readdir(place.folder), ['paycli.json'])
    }
  } finally {
    disk.repair()
  }
})

test('never overwrites an existing temporary file', async (place) => {
  const temporary = getTemporaryPath(place.file, 'unguessable')
  await writeFile(temporary, 'precious')
  assert.match((await rejection(write(place, filled([4])))).message, 'EEXIST')
  assert.is(await readFile(temporary, 'utf8'), 'precious')
})

test('makes the new snapshot durable before replacing the old snapshot', async (place) => {
  const prototype = await handlePrototype()
  const { sync } = prototype
  const synced: string[][] = []
  prototype.sync = async function listThenSync() {
    synced.push(await readdir(place.folder))
    return sync.call(this)
  }
  try {
    await write(place, filled([4]))
  } finally {
    prototype.sync = sync
  }
  assert.equal(synced, [[getTemporaryPath('paycli.json', 'unguessable')], ['paycli.json']])
})

test('syncs a long snapshot every four megabytes, and keeps the old snapshot when such a sync fails', async (place) => {
  await write(place, filled([4]))
  const before = await readFile(place.file)
  const long = filled(Array.from({ length: 1100 }, () => 4000))
  const prototype = await handlePrototype()
  const { datasync } = prototype
  let syncs = 0
  let failing = 2
  prototype.datasync = async function countThenSync() {
    syncs += 1
    if (syncs === failing) throw new Error('EIO')
    return datasync.call(this)
  }
  try {
    assert.match((await rejection(write(place, long))).message, 'EIO')
    assert.ok((await readFile(place.file)).equals(before))
    assert.equal(await readdir(place.folder), ['paycli.json'])
    syncs = 0
    failing = 0
    const bytes = (await write(place, long)) ?? 0
    assert.is(syncs, Math.floor(bytes / 2 ** 22))
  } finally {
    prototype.datasync = datasync
  }
})

test('yields to the event loop after each slice of the snapshot', async (place) => {
  let yields = 0
  const onYield = async () => {
    yields += 1
    await waitForNextTurn()
  }
  await write(place, filled(Array.from({ length: 1000 }, () => 0)), { onYield })
  assert.is(yields, 5)
})

test.run()
