import fc from 'fast-check'
import { IdIndex } from '../../../src/store/memory/id-index.ts'
import type { IndexedRecord } from '../../../src/store/memory/indexed-record.ts'
import { RawRecord } from '../../../src/store/memory/raw-record.ts'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer } from '../fixture.ts'

const test = suite('store/id-index')

const MANY = 20_000
/** Enough ids for several growths of a table and for the division into shards. */
const IDS = 3000

function entryOf(id: string, isRaw = false): IndexedRecord {
  const record = customer(id)
  const text = JSON.stringify(record)
  return {
    record: isRaw ? new RawRecord(`,${text}`, 1, text.length + 1) : record,
    ...{ created: 0, sortKey: 0, order: 0, insertedBy: 0, changedBy: 0, bytes: 0 },
  }
}

test('finds the same entries as a map while ids are added and removed', () => {
  const anyStep = fc.record({ from: fc.nat(IDS), count: fc.nat(IDS), isRemoval: fc.boolean() })
  const property = fc.property(fc.array(anyStep, { maxLength: 8 }), (steps) => {
    const [index, expected] = [new IdIndex(), new Map<string, IndexedRecord>()]
    for (const { from, count, isRemoval } of steps) {
      for (let number = from; number < from + count; number += isRemoval ? 3 : 1) {
        const id = `cus_${number}`
        if (isRemoval) {
          index.remove(id)
          expected.delete(id)
        } else if (!expected.has(id)) {
          expected.set(id, entryOf(id, number % 2 === 0))
          index.add(id, expected.get(id) as IndexedRecord)
        }
      }
    }
    for (let number = 0; number <= 2 * IDS; number += 1) {
      assert.ok(index.get(`cus_${number}`) === expected.get(`cus_${number}`))
    }
  })
  fc.assert(property, { ...propertySettings, numRuns: 20 })
})

for (const isRaw of [false, true]) {
  test(`distinguishes ids with the same hash, ${isRaw ? 'not parsed' : 'parsed'}`, () => {
    // An exhaustive search of numbers found these ids, whose hashes collide.
    const [first, second, third] = ['cus_45319', 'cus_153944', 'cus_45318']
    const index = new IdIndex()
    index.add(first, entryOf(first, isRaw))
    assert.is(index.get(second), undefined)
    const entry = entryOf(second, isRaw)
    index.add(second, entry)
    index.add(third, entryOf(third, isRaw))
    assert.ok(index.get(second) === entry)
    index.remove(first)
    assert.ok(index.get(second) === entry)
    assert.is(index.get(first), undefined)
  })
}

test('finds each of many ids that differ only in their last characters', () => {
  const index = new IdIndex()
  const idOf = (number: number) => `cus_Bench00000000000${String(number).padStart(8, '0')}`
  const entries = Array.from({ length: MANY }, (_, number) => entryOf(idOf(number)))
  for (const [number, entry] of entries.entries()) index.add(idOf(number), entry)
  for (const [number, entry] of entries.entries()) assert.ok(index.get(idOf(number)) === entry)
})

test.run()
