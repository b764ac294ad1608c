import { eventOf } from '../../src/domain/events.ts'
import { RawRecord } from '../../src/store/raw-record.ts'
import { Shelf } from '../../src/store/shelf.ts'
import { assert, suite } from '../support/suite.ts'
import { SAMPLES } from './samples.ts'

const test = suite('store/raw-record')

function rawOf(record: unknown, before = ''): RawRecord {
  const bytes = Buffer.from(before + JSON.stringify(record)).toString('latin1')
  return new RawRecord(`${bytes},\n`, Buffer.byteLength(before), bytes.length)
}

const told = Object.values(SAMPLES).filter((sample) => 'created' in sample && sample.object !== 'event')

test('the sketch of an event about anything is found where the event itself is', () => {
  const shelf = new Shelf('events')
  for (const object of told) {
    const event = { ...SAMPLES.events, data: { object } }
    const sketch = rawOf(event, 'é\n').sketch()
    assert.ok(sketch, object.object)
    // The number it grows by is read only from whole records.
    assert.equal(shelf.placeOf(sketch), { ...shelf.placeOf(event), growth: Number.NaN })
    assert.is(sketch.id, event.id)
  }
})

test('an event as the rules make it has a sketch', () => {
  const world = { now: 1, wallNow: 1, newId: () => 'evt_1', fingerprint: () => '', checkoutUrl: '' }
  const change = { event: 'customer.updated', before: SAMPLES.customers, after: SAMPLES.customers } as const
  assert.ok(rawOf(eventOf(change, null, world)).sketch())
})

test('what is no event, or does not begin like one, has no sketch', () => {
  const { id, ...rest } = SAMPLES.events
  const strangers = [
    SAMPLES.customers,
    { ...rest, id },
    { ...SAMPLES.events, id: 'evt "1"' },
    { ...SAMPLES.events, created: 1.5 },
    { ...SAMPLES.events, data: { previous_attributes: {}, object: SAMPLES.customers } },
    { ...SAMPLES.events, data: { object: { id: 'cus_"', object: 'customer' } } },
  ]
  for (const stranger of strangers) assert.is(rawOf(stranger).sketch(), null, JSON.stringify(stranger))
})

test('a record is read as it was written, whatever characters it has', () => {
  for (const name of ['Jane', 'Zoë', '東京 \u{1f600}', 'lone \ud800', '\u0000"\\']) {
    const record = { ...SAMPLES.customers, name }
    assert.equal(rawOf(record, 'é\n').parse(), record)
    assert.is(rawOf(record, 'é\n').text, JSON.stringify(record))
  }
})

test.run()
