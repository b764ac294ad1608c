import fc from 'fast-check'
import type { StoredObject } from '../../../src/domain/core/changes.ts'
import type { Event } from '../../../src/domain/events/events.ts'
import { decodeLine, encodeLine, encodeWrites } from '../../../src/store/file/journal-lines.ts'
import type { Write } from '../../../src/store/port/store.ts'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'
import { customer } from '../fixture.ts'
import { SAMPLES } from '../samples.ts'
import { flippedBytes } from './journal-images.ts'

const test = suite('store/journal-lines')

const PROPERTY_RUNS = 300

const encode = (writes: readonly Write[], position = { transaction: 7, batch: 5, generation: 3 }) =>
  Buffer.from(encodeLine(encodeWrites(writes), position))

/** Decodes a line without its newline. */
const decode = (line: Buffer, generation = 3) => decodeLine(line.subarray(0, -1), generation)

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom('\u2028', '\ud800', '\udc00\ud800', '\n', '"\\', '\0', '__proto__', 'constructor', ''),
)

const { anyValue } = fc.letrec<{ anyValue: unknown }>((tie) => ({
  anyValue: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(anyText, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
    fc.constant(null),
    fc.array(tie('anyValue'), { maxLength: 3 }),
    fc.array(fc.tuple(anyText, tie('anyValue')), { maxLength: 3 }).map(Object.fromEntries),
  ),
}))

const anyRecord: fc.Arbitrary<StoredObject> = fc
  .tuple(anyText, anyText, fc.array(fc.tuple(anyText, anyValue), { maxLength: 5 }))
  // The conversion through JSON removes -0.
  .map(([id, object, fields]) => JSON.parse(JSON.stringify({ ...Object.fromEntries(fields), id, object })))

const anyWrites = fc.array(
  fc.oneof(
    anyRecord.map((record): Write => ({ put: record })),
    anyRecord.map(({ id, object }): Write => ({ remove: { object, id } })),
  ),
  { maxLength: 5 },
)

test('decoding returns any encoded records unchanged, with the same key order', () => {
  const property = fc.property(anyWrites, (writes) => {
    const isEvent = (write: Write) => 'put' in write && write.put.object === 'event'
    fc.pre(!writes.some(isEvent))
    const line = encode(writes)
    assert.is(line.indexOf('\n'), line.length - 1, 'one line')
    const decoded = decode(line)
    assert.is(JSON.stringify(decoded?.writes), JSON.stringify(writes))
    assert.equal([decoded?.transaction, decoded?.batch], [7, 5])
  })
  fc.assert(property, { ...propertySettings, numRuns: PROPERTY_RUNS })
})

test('the line of a removal contains only the object type and the id', () => {
  const { writes } = decode(encode([{ remove: customer('cus_1') }])) ?? {}
  assert.equal(writes, [{ remove: { object: 'customer', id: 'cus_1' } }])
})

test('the line of an event refers to its stored object, and decoding returns one object for both', () => {
  const record = customer('cus_1', { name: 'Zoë \u2028' })
  const event = (previous: object): Event => ({ ...SAMPLES.events, data: { object: record, ...previous } })
  for (const previous of [{}, { previous_attributes: { name: null } }]) {
    const writes: Write[] = [{ put: SAMPLES.counters }, { put: record }, { put: event(previous) }]
    const line = encode(writes)
    assert.is(line.toString().split('Zoë').length, 2)
    const puts = decode(line)?.writes.map((write) => ('put' in write ? write.put : null)) ?? []
    assert.is(JSON.stringify(puts), JSON.stringify([SAMPLES.counters, record, event(previous)]))
    assert.is((puts[2] as Event).data.object, puts[1])
  }
})

test('the line of an event contains its object unless an earlier operation in the transaction stored the object', () => {
  const record = customer('cus_1')
  const about = (object: StoredObject): Event => ({ ...SAMPLES.events, data: { object } })
  for (const writes of [
    [{ put: about(record) }],
    [{ put: about(record) }, { put: record }],
    [{ put: { ...record } }, { put: about(record) }],
    [{ remove: record }, { put: about(record) }],
  ]) {
    const kept = decode(encode(writes))?.writes.find(
      (write) => 'put' in write && write.put.object === 'event',
    )
    assert.is(JSON.stringify(kept), JSON.stringify({ put: about(record) }))
  }
})

test('rejects a line of another generation', () => {
  const anyGeneration = fc.oneof(fc.nat(20), fc.integer({ min: 0, max: 0x7fffffff }))
  const property = fc.property(anyGeneration, anyGeneration, (own, other) => {
    const line = encode([{ put: SAMPLES.counters }], { transaction: 1, batch: 1, generation: own })
    assert.is(decode(line, other) === null, own !== other)
  })
  fc.assert(property, { ...propertySettings, numRuns: PROPERTY_RUNS })
})

test('rejects a line with any single changed byte, including the checksum and the numbers', () => {
  const line = encode([{ put: customer('cus_1', { name: 'Zoë' }) }, { put: SAMPLES.events }])
  let tried = 0
  for (const at of line.subarray(0, -1).keys()) {
    for (const { bytes } of flippedBytes(line, at)) {
      tried += 1
      assert.is(decode(bytes), null, `byte ${at} of ${line.length}`)
    }
  }
  assert.ok(tried > 5000)
})

test('rejects truncated lines and text in other formats', () => {
  const line = encode([{ put: SAMPLES.counters }]).subarray(0, -1)
  for (const length of line.keys()) assert.is(decodeLine(line.subarray(0, length), 3), null)
  for (const text of ['', '{}', 'null', '{"c":"00000000"}', '\0'.repeat(600)]) {
    assert.is(decodeLine(Buffer.from(text), 3), null, text)
  }
})

test.run()
