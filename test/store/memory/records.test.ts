import fc from 'fast-check'
import type { Stored } from '../../../src/domain/changes.ts'
import type { Event } from '../../../src/domain/events.ts'
import { Records } from '../../../src/store/memory/records.ts'
import { COLLECTION_NAMES } from '../../../src/store/port/collections.ts'
import type { Write } from '../../../src/store/port/store.ts'
import { chance } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { type AnyWrite, anyWrite } from '../any-changes.ts'
import { everything } from '../everything.ts'
import { customer } from '../fixture.ts'
import { SAMPLES } from '../samples.ts'

const test = suite('store/records')

const PROPERTY_RUNS = 500

function apply(records: Records, writes: readonly AnyWrite[]): () => void {
  const before = records.newest
  const applied = writes.flatMap((write): Write[] => {
    if (!('announce' in write)) return [write]
    return records.numberEvents([write.announce]).map((numbered) => ({ put: numbered }))
  })
  return records.apply(applied, { before, stamp: 1 })
}

const anyBatch = fc.array(anyWrite, { maxLength: 10 })

test('undoing batches, newest first, restores records, indexes, deadlines, order and sequence', () => {
  const property = fc.property(anyBatch, fc.array(anyBatch, { maxLength: 5 }), (kept, undone) => {
    const records = new Records()
    apply(records, kept)
    const stages = undone.map((batch) => ({ before: everything(records), undo: apply(records, batch) }))
    for (const { before, undo } of stages.reverse()) {
      undo()
      assert.equal(everything(records), before)
    }
  })
  fc.assert(property, { ...chance, numRuns: PROPERTY_RUNS })
})

test('after undoing, the same changes give the same state as without it', () => {
  const property = fc.property(anyBatch, anyBatch, anyBatch, (kept, undone, next) => {
    const records = new Records()
    apply(records, kept)
    apply(records, undone)()
    apply(records, next)
    const untouched = new Records()
    apply(untouched, kept)
    apply(untouched, next)
    assert.equal(everything(records), everything(untouched))
  })
  fc.assert(property, { ...chance, numRuns: PROPERTY_RUNS })
})

test('records loaded in the order of all() answer as before', () => {
  const property = fc.property(fc.array(anyBatch, { maxLength: 4 }), anyBatch, (batches, undone) => {
    const records = new Records()
    for (const batch of batches) apply(records, batch)
    apply(records, undone)()
    const loaded = new Records()
    for (const name of COLLECTION_NAMES) for (const record of records.all(name)) loaded.put(record)
    loaded.resumeSequence(records.sequence)
    assert.equal(everything(loaded), everything(records))
  })
  fc.assert(property, { ...chance, numRuns: PROPERTY_RUNS })
})

test('a batch with one record that cannot be kept changes nothing', () => {
  const strays: readonly Stored[] = [
    { id: 'x', object: 'unheard_of' },
    { ...SAMPLES.events, id: 'evt_x', data: undefined } as unknown as Event,
  ]
  for (const stray of strays) {
    const records = new Records()
    apply(records, [{ put: { ...customer('cus_1') } }])
    const before = everything(records)
    const writes = [{ put: customer('cus_2') }, { remove: customer('cus_1') }, { put: stray }]
    const newest = records.newest
    records.numberEvents([SAMPLES.events])
    assert.throws(() => records.apply(writes, { before: newest, stamp: 2 }))
    assert.equal(everything(records), before)
    assert.is(records.get('events', 'evt_x'), null)
  }
})

test.run()
