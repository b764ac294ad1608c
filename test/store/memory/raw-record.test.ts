import type { StoredObject } from '../../../src/domain/core/changes.ts'
import { toEvent } from '../../../src/domain/events/events.ts'
import { CollectionIndex } from '../../../src/store/memory/collection-index.ts'
import { MemoryRecords } from '../../../src/store/memory/memory-records.ts'
import { RawRecord } from '../../../src/store/memory/raw-record.ts'
import { COLLECTION_RULES, getCollectionName } from '../../../src/store/port/collections.ts'
import { createRuleContext } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'
import { dumpRecords } from '../dump-records.ts'
import { SAMPLES } from '../samples.ts'

const test = suite('store/raw-record')

function rawOf(record: unknown, before = ''): RawRecord {
  const bytes = Buffer.from(before + JSON.stringify(record)).toString('latin1')
  return new RawRecord(`${bytes},\n`, Buffer.byteLength(before), bytes.length)
}

const eventObjects = Object.values(SAMPLES).filter(
  (sample) => 'created' in sample && sample.object !== 'event',
)

test('parseKeys returns the fields that produce the same index keys, for events of every object type', () => {
  const index = new CollectionIndex('events')
  for (const object of eventObjects) {
    const event = { ...SAMPLES.events, data: { object }, test_clock: 'clock_1', sequence: 7 }
    const fields = rawOf(event, 'é\n').parseKeys()
    assert.ok(fields, object.object)
    const indexKeys = (record: StoredObject) => ({ ...index.stateOf(record, 0, 0), record: null })
    assert.equal(indexKeys(fields), indexKeys(event))
    assert.is(fields.id, event.id)
  }
})

test('parseKeys accepts an event that the domain rules create', () => {
  const change = { event: 'customer.updated', before: SAMPLES.customers, after: SAMPLES.customers } as const
  const records = new MemoryRecords()
  const created = toEvent(change, null, createRuleContext())
  const [event] = records.sequenceEvents(created === null ? [] : [created])
  assert.ok(rawOf(event).parseKeys())
})

test('a loaded record is in the same lists, filters and queues as a record that was stored with put()', () => {
  for (const record of Object.values(SAMPLES)) {
    const [loaded, put] = [new MemoryRecords(), new MemoryRecords()]
    loaded.load(rawOf(record, 'é\n'))
    put.put(record)
    const name = getCollectionName(record)
    for (const [filter, read] of Object.entries(COLLECTION_RULES[name].filters)) {
      const where = { [filter]: read(record as never) ?? 'none' }
      const [found, expected] = [loaded, put].map((records) => records.list(name, { where, limit: 1 }))
      assert.equal(found, expected, `${name} by ${filter}`)
    }
    assert.equal(dumpRecords(loaded), dumpRecords(put))
  }
})

test('parseKeys returns null for a record without an integer time, with an escaped id, or with other fields or field order', () => {
  const { id, ...rest } = SAMPLES.events
  const { sequence, test_clock, ...headed } = SAMPLES.events
  const others = [
    SAMPLES.idempotency_keys,
    { ...SAMPLES.customers, created: null },
    Object.fromEntries(Object.entries(SAMPLES.customers).reverse()),
    Object.assign({ id, object: 'event', created: 1 }, rest),
    { ...rest, id },
    { ...SAMPLES.events, id: 'evt "1"' },
    { ...SAMPLES.events, created: 1.5 },
    { ...SAMPLES.events, data: { previous_attributes: {}, object: SAMPLES.customers } },
    { ...SAMPLES.events, data: { object: { id: 'cus_"', object: 'customer' } } },
    headed,
    { ...headed, test_clock, sequence },
    { ...headed, sequence: null, test_clock },
    { ...SAMPLES.events, later: true },
    { ...headed, later: { sequence, test_clock } },
    { ...headed, later: ',"sequence":1,"test_clock":null}' },
  ]
  for (const other of others) assert.is(rawOf(other).parseKeys(), null, JSON.stringify(other))
})

test('hasId accepts only the whole id', () => {
  const raw = rawOf({ ...SAMPLES.customers, id: 'cus_1' })
  assert.equal(
    ['cus_1', 'cus_', 'cus_1"', 'cus_12', '', 'cus_1","object":"customer'].filter((id) => raw.hasId(id)),
    ['cus_1'],
  )
})

test('every read of a parsed raw record returns the same object', () => {
  for (const record of [SAMPLES.customers, SAMPLES.events]) {
    const raw = rawOf(record, 'é\n')
    const parsed = raw.parse()
    assert.ok(raw.parse() === parsed && raw.parseKeys() === parsed)
    assert.equal([raw.text, raw.bytes], [JSON.stringify(record), JSON.stringify(record).length])
    assert.equal([raw.hasId(record.id), raw.hasId('cus_other')], [true, false])
  }
})

test('parse and text return the record with every character unchanged', () => {
  for (const name of ['Jane', 'Zoë', '東京 \u{1f600}', 'lone \ud800', '\u0000"\\']) {
    const record = { ...SAMPLES.customers, name }
    assert.equal(rawOf(record, 'é\n').parse(), record)
    assert.is(rawOf(record, 'é\n').text, JSON.stringify(record))
  }
})

test.run()
