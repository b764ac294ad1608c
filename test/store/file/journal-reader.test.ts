import fc from 'fast-check'
import { DatabaseDamagedError } from '../../../src/store/disk/database-errors.ts'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import {
  createJournalImage,
  flippedBytes,
  loseSectors,
  readImage,
  SECTOR_BYTES,
  sectorsFrom,
} from './journal-images.ts'

const test = suite('store/journal-reader')

const PROPERTY_RUNS = 1000

/** Acknowledged batches with one or more transactions, and a last batch that spans sectors. */
const IMAGE = createJournalImage([[4], [30, 0, 9], [700], [5, 1500, 3, 600, 12]])
const ALL = IMAGE.starts.length

/** Returns the number of transactions that end before a byte. */
const wholeBefore = (byte: number) =>
  [...IMAGE.starts.slice(1), IMAGE.bytes.length].filter((end) => end <= byte).length

function damageOf(bytes: Buffer): DatabaseDamagedError {
  try {
    const { transactions, torn } = readImage(bytes)
    throw new Error(`read ${transactions} transactions and reported a torn tail at ${torn}`)
  } catch (error) {
    if (error instanceof DatabaseDamagedError) return error
    throw error
  }
}

test('reads a complete journal to its end', () => {
  assert.equal(readImage(IMAGE.bytes), { transactions: ALL, torn: null })
  assert.equal(readImage(Buffer.alloc(0)), { transactions: 0, torn: null })
})

test('reads all complete transactions when the last batch is truncated at any byte', () => {
  for (let cut = IMAGE.lastBatch; cut <= IMAGE.bytes.length; cut += 1) {
    const { transactions, torn } = readImage(IMAGE.bytes.subarray(0, cut))
    assert.is(transactions, wholeBefore(cut), `cut at ${cut}`)
    assert.is(
      torn,
      IMAGE.starts.includes(cut) || cut === IMAGE.bytes.length ? null : IMAGE.starts[transactions],
    )
  }
})

test('reads every acknowledged transaction when any sectors of the last batch are lost', () => {
  const anyBatches = fc.array(fc.array(fc.nat(900), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 5,
  })
  const property = fc.property(anyBatches, fc.array(fc.boolean(), { maxLength: 40 }), (batches, choices) => {
    const { bytes, lastBatch, acknowledged, starts } = createJournalImage(batches)
    const lost = sectorsFrom(bytes, lastBatch).filter((_, index) => choices[index] ?? false)
    const { transactions, torn } = readImage(loseSectors(bytes, lost, lastBatch))
    const first = Math.max(lastBatch, (lost[0] ?? Number.POSITIVE_INFINITY) * SECTOR_BYTES)
    const whole = [...starts.slice(1), bytes.length].filter((end) => end <= first).length
    assert.is(transactions, Math.max(acknowledged, whole))
    assert.is(torn, lost.length === 0 ? null : (starts[transactions] ?? null))
  })
  fc.assert(property, { ...propertySettings, numRuns: PROPERTY_RUNS })
})

test('lost sectors in a truncated file lose no acknowledged transaction', () => {
  const sectors = sectorsFrom(IMAGE.bytes, IMAGE.lastBatch)
  const property = fc.property(fc.subarray(sectors), fc.constantFrom(...sectors), (lost, end) => {
    const cut = Math.max(IMAGE.lastBatch, end * SECTOR_BYTES)
    const { transactions } = readImage(loseSectors(IMAGE.bytes, lost, IMAGE.lastBatch).subarray(0, cut))
    assert.ok(transactions >= IMAGE.acknowledged && transactions <= wholeBefore(cut))
  })
  fc.assert(property, { ...propertySettings, numRuns: PROPERTY_RUNS })
})

test('treats zeros after the last batch as a torn tail', () => {
  for (const length of [1, 100, 512, 5000]) {
    const bytes = Buffer.concat([IMAGE.bytes, Buffer.alloc(length)])
    assert.equal(readImage(bytes), { transactions: ALL, torn: IMAGE.bytes.length })
  }
})

test('reports a changed byte before the last batch at the start of its transaction', () => {
  let tried = 0
  for (let at = 0; at < IMAGE.lastBatch; at += 1) {
    for (const { bytes } of flippedBytes(IMAGE.bytes, at)) {
      tried += 1
      assert.is(
        damageOf(bytes).byte,
        IMAGE.starts.findLast((start) => start <= at),
        `byte ${at}`,
      )
    }
  }
  assert.ok(tried > 10_000, `${tried} cases`)
})

test('reports lost sectors before the last batch as damage', () => {
  const { bytes, lastBatch } = IMAGE
  for (const sector of sectorsFrom(bytes, 0)) {
    if ((sector + 1) * SECTOR_BYTES > lastBatch) continue
    assert.ok(damageOf(loseSectors(bytes, [sector], 0)).byte <= sector * SECTOR_BYTES)
  }
})

test('reports a changed byte in the last batch, which may have been acknowledged', () => {
  const { bytes, lastBatch } = IMAGE
  assert.ok(lastBatch % SECTOR_BYTES < SECTOR_BYTES - 1 && bytes.length % SECTOR_BYTES > 1)
  for (let at = lastBatch; at < bytes.length; at += at % 3 === 0 ? 7 : 1) {
    for (const { bytes: flipped } of flippedBytes(bytes, at)) {
      assert.is(
        damageOf(flipped).byte,
        IMAGE.starts.findLast((start) => start <= at),
        `byte ${at}`,
      )
    }
  }
})

test('treats a NUL that is the only byte of its sector as a lost sector', () => {
  // The newline at the end of the file is the first byte of a sector.
  const lengths = Array.from({ length: SECTOR_BYTES }, (_, length) => length)
  const image = lengths
    .map((length) => createJournalImage([[4], [length]]))
    .find((each) => each.bytes.length % SECTOR_BYTES === 1)
  assert.ok(image)
  if (image === undefined) return
  const at = image.bytes.length - 1
  for (const { bytes, isToNul } of flippedBytes(image.bytes, at)) {
    if (isToNul) assert.equal(readImage(bytes), { transactions: 1, torn: image.lastBatch })
    else assert.is(damageOf(bytes).byte, image.lastBatch)
  }
})

test('reports a missing, repeated or foreign transaction as damage', () => {
  const { bytes, starts } = IMAGE
  const line = (index: number) => bytes.subarray(starts[index], starts[index + 1])
  assert.is(damageOf(Buffer.concat([line(0), line(2), line(3)])).byte, starts[1])
  assert.is(damageOf(Buffer.concat([line(0), line(0)])).byte, starts[1])
  assert.is(damageOf(line(1)).byte, 0)
  assert.is(damageOf(Buffer.concat([line(0), Buffer.from('{"hello":"context"}\n')])).byte, starts[1])
})

test.run()
