import { eventOf } from '../../../src/domain/events.ts'
import { Shelf } from '../../../src/store/memory/collection-index.ts'
import { RawRecord } from '../../../src/store/memory/raw-record.ts'
import { Records } from '../../../src/store/memory/records.ts'
import { createRuleContext } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'
import { SAMPLES } from '../samples.ts'

const test = suite('store/raw-record')

function rawOf(record: unknown, before = ''): RawRecord {
  const bytes = Buffer.from(before + JSON.stringify(record)).toString('latin1')
  return new RawRecord(`${bytes},\n`, Buffer.byteLength(before), bytes.length)
}

const told = Object.values(SAMPLES).filter((sample) => 'created' in sample && sample.object !== 'event')

test('the sketch of an event about anything is found where the event itself is', () => {
  const shelf = new Shelf('events')
  for (const object of told) {
    const event = { ...SAMPLES.events, data: { object }, test_clock: 'clock_1', sequence: 7 }
    const sketch = rawOf(event, 'é\n').sketch()
    assert.ok(sketch, object.object)
    assert.equal(shelf.placeOf(sketch), shelf.placeOf(event))
    assert.is(sketch.id, event.id)
  }
})

test('an event as the rules make it has a sketch', () => {
  const change = { event: 'customer.updated', before: SAMPLES.customers, after: SAMPLES.customers } as const
  const records = new Records()
  const told = eventOf(change, null, createRuleContext())
  const [event] = records.numberEvents(told === null ? [] : [told])
  assert.ok(rawOf(event).sketch())
})

test('what is no event, or does not begin and end like one, has no sketch', () => {
  const { id, ...rest } = SAMPLES.events
  const { sequence, test_clock, ...headed } = SAMPLES.events
  const strangers = [
    SAMPLES.customers,
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
