import fc from 'fast-check'
import type { StoredObject } from '../../../src/domain/core/changes.ts'
import type { Event } from '../../../src/domain/events/events.ts'
import { MemoryRecords } from '../../../src/store/memory/memory-records.ts'
import { COLLECTION_NAMES, type CollectionName } from '../../../src/store/port/collections.ts'
import type { Write } from '../../../src/store/port/store.ts'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { type AnyWrite, anyWrite, FILTERS } from '../any-changes.ts'
import { dumpRecords } from '../dump-records.ts'
import { customer } from '../fixture.ts'
import { SAMPLES } from '../samples.ts'

const test = suite('store/records')

const PROPERTY_RUNS = 500

function apply(records: MemoryRecords, writes: readonly AnyWrite[]): () => void {
  const before = records.sequenceHead
  const applied = writes.flatMap((write): Write[] => {
    if (!('announce' in write)) return [write]
    return records.sequenceEvents([write.announce]).map((numbered) => ({ put: numbered }))
  })
  return records.apply(applied, 1, before)
}

/** Returns a clock that advances by `step` with each read. */
function createCounter(step: number): () => number {
  let now = 0
  return () => {
    now += step
    return now
  }
}

const anyBatch = fc.array(anyWrite, { maxLength: 10 })

test('a cursor whose record was just removed from lists keeps its position in insertion order', () => {
  const records = new MemoryRecords()
  for (const id of ['cus_1', 'cus_2', 'cus_3', 'cus_4', 'cus_5']) records.put(customer(id))
  const deleted: StoredObject = { id: 'cus_3', object: 'customer' }
  records.put(deleted)
  const idsOf = (query: { starting_after: string } | { ending_before: string }) =>
    records.list('customers', { limit: 10, ...query }).data.map(({ id }) => id)
  assert.equal(idsOf({ starting_after: 'cus_3' }), ['cus_2', 'cus_1'])
  assert.equal(idsOf({ ending_before: 'cus_3' }), ['cus_5', 'cus_4'])
})

test('undoing transactions in reverse order restores records, indexes, deadlines, order and sequence', () => {
  const property = fc.property(anyBatch, fc.array(anyBatch, { maxLength: 5 }), (kept, undone) => {
    const records = new MemoryRecords()
    apply(records, kept)
    const stages = undone.map((batch) => ({ before: dumpRecords(records), undo: apply(records, batch) }))
    for (const { before, undo } of stages.reverse()) {
      undo()
      assert.equal(dumpRecords(records), before)
    }
  })
  fc.assert(property, { ...propertySettings, numRuns: PROPERTY_RUNS })
})

test('changes after an undo give the same state as without the undone changes', () => {
  const property = fc.property(anyBatch, anyBatch, anyBatch, (kept, undone, next) => {
    const records = new MemoryRecords()
    apply(records, kept)
    apply(records, undone)()
    apply(records, next)
    const untouched = new MemoryRecords()
    apply(untouched, kept)
    apply(untouched, next)
    assert.equal(dumpRecords(records), dumpRecords(untouched))
  })
  fc.assert(property, { ...propertySettings, numRuns: PROPERTY_RUNS })
})

test('records that are loaded in the order of all() give the same lists', () => {
  const property = fc.property(fc.array(anyBatch, { maxLength: 4 }), anyBatch, (batches, undone) => {
    const records = new MemoryRecords()
    for (const batch of batches) apply(records, batch)
    apply(records, undone)()
    const loaded = new MemoryRecords()
    for (const name of COLLECTION_NAMES) for (const record of records.all(name)) loaded.put(record)
    loaded.resumeSequence(records.sequence)
    assert.equal(dumpRecords(loaded), dumpRecords(records))
  })
  fc.assert(property, { ...propertySettings, numRuns: PROPERTY_RUNS })
})

test('filter indexes that are built during changes and undos give the same lists', async () => {
  const property = fc.asyncProperty(anyBatch, anyBatch, anyBatch, async (kept, undone, next) => {
    const records = new MemoryRecords()
    apply(records, kept)
    let undo = () => {}
    const changes = [
      () => {
        undo = apply(records, undone)
      },
      () => undo(),
      () => apply(records, next),
    ]
    const scheduling = { monotonicMs: createCounter(10), yieldToEventLoop: async () => changes.shift()?.() }
    const queries = Object.entries(FILTERS).flatMap(([name, filters]) =>
      Object.keys(filters).map(
        (filter) => [name as CollectionName, { where: { [filter]: 'x' }, limit: 1 }] as const,
      ),
    )
    await Promise.all(queries.map(([name, query]) => records.prepareList(name, query, scheduling)))
    for (const change of changes) change()
    const untouched = new MemoryRecords()
    apply(untouched, kept)
    apply(untouched, next)
    assert.equal(dumpRecords(records), dumpRecords(untouched))
  })
  await fc.assert(property, { ...propertySettings, numRuns: PROPERTY_RUNS })
})

test('the first list by a filter builds the index in slices, and later lists use the complete index', async () => {
  const records = new MemoryRecords()
  apply(records, [{ put: customer('cus_1', { email: 'a@x.example' }) }])
  const query = { where: { email: 'a@x.example' }, limit: 10 }
  let yields = 0
  const yieldToEventLoop = async () => {
    yields += 1
    apply(records, [{ put: customer('cus_2', { email: 'a@x.example' }) }])
  }
  await records.prepareList('customers', query, { monotonicMs: createCounter(10), yieldToEventLoop })
  assert.ok(yields > 0)
  assert.is(
    records.prepareList('customers', query, { monotonicMs: createCounter(10), yieldToEventLoop }),
    null,
  )
  const ids = records.list('customers', query).data.map(({ id }) => id)
  assert.equal(ids, ['cus_2', 'cus_1'])
})

test('a transaction with an invalid record changes nothing', () => {
  const invalidRecords: readonly StoredObject[] = [
    { id: 'x', object: 'unknown' },
    { ...SAMPLES.events, id: 'evt_x', data: undefined } as unknown as Event,
  ]
  for (const invalid of invalidRecords) {
    const records = new MemoryRecords()
    apply(records, [{ put: { ...customer('cus_1') } }])
    const before = dumpRecords(records)
    const writes = [{ put: customer('cus_2') }, { remove: customer('cus_1') }, { put: invalid }]
    const { sequenceHead } = records
    records.sequenceEvents([{ ...SAMPLES.events, sequence: 0 }])
    assert.throws(() => records.apply(writes, 2, sequenceHead))
    assert.equal(dumpRecords(records), before)
    assert.is(records.get('events', 'evt_x'), null)
  }
})

test.run()
