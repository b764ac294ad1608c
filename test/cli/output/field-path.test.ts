import {
  findStreamEntryValues,
  getValuesAtPath,
  validateFieldPaths,
} from '../../../src/cli/output/field-path.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/field-path')

const RESPONSE = {
  id: 'cus_1',
  name: null,
  metadata: { order: '1042', 'a.b': 'dotted', constructor: 'mine' },
  data: [
    { id: 'x', tags: ['p', 'q'] },
    { id: 'y', tags: [] },
  ],
}

const FOUND: readonly (readonly [path: string, values: unknown[]])[] = [
  ['id', ['cus_1']],
  ['name', [null]],
  ['metadata.order', ['1042']],
  ['metadata[a.b]', ['dotted']],
  ['metadata.constructor', ['mine']],
  ['data[0].id', ['x']],
  ['data[].id', ['x', 'y']],
  ['data[].tags[]', ['p', 'q']],
  ['data[1].tags', [[]]],
  ['data.1.id', ['y']],
]

for (const [path, values] of FOUND) {
  test(`returns ${JSON.stringify(values)} for the path ${path}`, () =>
    assert.equal(getValuesAtPath(RESPONSE, path), values))
}

const UNKNOWN: readonly (readonly [path: string, message: RegExp, hint: RegExp])[] = [
  ['nme', /Unknown field 'nme': The response has no 'nme'/, /^Fields: id, name, metadata, data\.$/],
  ['metadata.ordr', /metadata has no 'ordr'/, /^Fields: order, a\.b, constructor\.$/],
  ['id,name', /Unknown field 'id,name'/, /Repeat --field for each field\./],
  ['data.id', /data is a list of 2/, /\[\] for all/],
  ['data[2].id', /data is a list of 2/, /\[0\] for the first/],
  ['data[0].x', /data\[0\] has no 'x'/, /id, tags/],
  ['id.x', /id is a string/, /Shorten/],
  ['name.x', /name is null/, /Shorten/],
  ['toString', /has no 'toString'/, /Fields/],
  ['__proto__', /has no '__proto__'/, /Fields/],
  ['', /Invalid field path/, /data\[\]\.id/],
  ['a..b', /Invalid field path/, /data\[\]\.id/],
  ['data[0', /Invalid field path/, /data\[\]\.id/],
]

for (const [path, message, hint] of UNKNOWN) {
  test(`throws a usage error for the path '${path}'`, () => {
    const error = usageErrorFrom(() => getValuesAtPath(RESPONSE, path))
    assert.match(error.message, message)
    assert.match(error.hint ?? '', hint)
  })
}

test('findStreamEntryValues returns no values for missing inner fields, but throws for a missing first field', () => {
  for (const [path, values] of [
    ...FOUND,
    ['name.x', []],
    ['id.x', []],
    ['metadata.ordr', []],
    ['data[2].id', []],
    ['data[].name', []],
  ] as const) {
    assert.equal([path, findStreamEntryValues(RESPONSE, path)], [path, values])
  }
  assert.throws(() => findStreamEntryValues(RESPONSE, 'nme.x'), /The response has no 'nme'/)
})

test('validateFieldPaths throws for an invalid path', () => {
  validateFieldPaths(['nme', 'data[].x'])
  assert.throws(() => validateFieldPaths(['id', 'a..b']), /Invalid field path 'a\.\.b'/)
})

test('names the path of a field of each element when the response is a list', () => {
  const list = { object: 'list', data: [{ id: 'x', email: 'ada@example.com' }], has_more: false }
  for (const [path, name] of [
    ['email', 'email'],
    ['emial', 'email'],
    ['[].email', 'email'],
    ['[0]', 'id'],
    ['total', 'id'],
  ] as const)
    assert.is(
      usageErrorFrom(() => getValuesAtPath(list, path)).hint,
      `Fields: object, data, has_more. For each element: --field 'data[].${name}'`,
    )
})

test.run()
