import {
  createMetadata,
  type MetadataChanges,
  mergeMetadata,
  NO_METADATA,
} from '../../../src/domain/core/metadata.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/core/metadata')

/** Columns: current metadata, update, merged metadata. */
const TABLE: readonly (readonly [old: object, fields: MetadataChanges | undefined, merged: object])[] = [
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
  test(`updating the metadata ${JSON.stringify(old)} with ${JSON.stringify(fields)} results in ${JSON.stringify(merged)}`, () => {
    assert.equal(mergeMetadata(old as Record<string, string>, fields), merged)
  })
}

test('an update keeps the order of metadata keys', () => {
  assert.is(Object.keys(mergeMetadata({ b: '1', a: '2' }, { c: '3', b: '4' })).join(), 'b,a,c')
})

const keys = (count: number, letter: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${letter}${at}`, 'v']))

test('rejects more than 50 metadata keys after the merge', async () => {
  assert.is(Object.keys(mergeMetadata(keys(30, 'a'), keys(20, 'b'))).length, 50)
  const { code, param, message } = await catchDomainError(() => mergeMetadata(keys(30, 'a'), keys(21, 'b')))
  assert.equal([code, param], ['metadata_invalid', 'metadata'])
  assert.match(message, /51 after merging, and the limit is 50/)
})

test('replaces 50 metadata keys with 50 other keys in one update', () => {
  const removed = Object.fromEntries(Object.keys(keys(50, 'a')).map((key) => [key, null]))
  assert.equal(mergeMetadata(keys(50, 'a'), { ...keys(50, 'b'), ...removed }), keys(50, 'b'))
})

test('creates metadata without empty values, and returns the same object for all empty metadata', () => {
  assert.equal(createMetadata({ a: '', b: '1' }), { b: '1' })
  for (const fields of [undefined, {}, { a: '' }]) assert.is(createMetadata(fields), NO_METADATA)
})

test.run()
