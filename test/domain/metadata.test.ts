import { type MetadataFields, mergeMetadata } from '../../src/domain/metadata.ts'
import { refusal } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/metadata')

/** what there is, what is given, what it comes to */
const TABLE: readonly (readonly [old: object, fields: MetadataFields | undefined, merged: object])[] = [
  [{ a: '1' }, undefined, { a: '1' }],
  [{ a: '1' }, {}, { a: '1' }],
  [{ a: '1' }, { a: '2' }, { a: '2' }],
  [{ a: '1' }, { b: '2' }, { a: '1', b: '2' }],
  [{ a: '1', b: '2' }, { a: null }, { b: '2' }],
  [{ a: '1', b: '2' }, { a: '' }, { b: '2' }],
  [{ a: '1' }, { b: null }, { a: '1' }],
  [{ a: '1' }, null, {}],
  [{ a: '1' }, '', {}],
  [{}, { a: ' ' }, { a: ' ' }],
]

for (const [old, fields, merged] of TABLE) {
  test(`${JSON.stringify(old)} and ${JSON.stringify(fields)} come to ${JSON.stringify(merged)}`, () => {
    assert.equal(mergeMetadata(old as Record<string, string>, fields), merged)
  })
}

test('keys keep their place', () => {
  assert.is(Object.keys(mergeMetadata({ b: '1', a: '2' }, { c: '3', b: '4' })).join(), 'b,a,c')
})

const keys = (count: number, letter: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${letter}${at}`, 'v']))

test('fifty keys in all are the most, those that were there counted', async () => {
  assert.is(Object.keys(mergeMetadata(keys(30, 'a'), keys(20, 'b'))).length, 50)
  const { code, param, message } = await refusal(() => mergeMetadata(keys(30, 'a'), keys(21, 'b')))
  assert.equal([code, param], ['metadata_invalid', 'metadata'])
  assert.match(message, /51 keys after merging; 50 are the most/)
})

test.run()
