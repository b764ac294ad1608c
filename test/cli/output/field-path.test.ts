import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { requirePaths, valuesAt, valuesWithin } from '../../../src/cli/output/field-path.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/field-path')

const ANSWER = {
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
  test(`${path} leads somewhere`, () => assert.equal(valuesAt(ANSWER, path), values))
}

const LOST: readonly (readonly [path: string, message: RegExp, hint: RegExp])[] = [
  ['nme', /No field 'nme': The answer has no 'nme'/, /^Fields: id, name, metadata, data\.$/],
  ['metadata.ordr', /metadata has no 'ordr'/, /^Fields: order, a\.b, constructor\.$/],
  ['id,name', /No field 'id,name'/, /Give --field once for each field\./],
  ['data.id', /data is a list of 2/, /\[\] for all/],
  ['data[2].id', /data is a list of 2/, /\[0\] for the first/],
  ['data[0].x', /data\[0\] has no 'x'/, /id, tags/],
  ['id.x', /id is a string/, /Shorten/],
  ['name.x', /name is null/, /Shorten/],
  ['toString', /has no 'toString'/, /Fields/],
  ['__proto__', /has no '__proto__'/, /Fields/],
  ['', /is no path/, /data\[\]\.id/],
  ['a..b', /is no path/, /data\[\]\.id/],
  ['data[0', /is no path/, /data\[\]\.id/],
]

for (const [path, message, hint] of LOST) {
  test(`'${path}' leads nowhere`, () => {
    try {
      valuesAt(ANSWER, path)
    } catch (error) {
      assert.instance(error, UsageError)
      assert.match((error as UsageError).message, message)
      assert.match((error as UsageError).hint ?? '', hint)
      return
    }
    assert.unreachable('it led somewhere')
  })
}

test('of many entries that differ one may lack what is below its first fields', () => {
  for (const [path, values] of [
    ...FOUND,
    ['name.x', []],
    ['id.x', []],
    ['metadata.ordr', []],
    ['data[2].id', []],
    ['data[].name', []],
  ] as const) {
    assert.equal([path, valuesWithin(ANSWER, path)], [path, values])
  }
  assert.throws(() => valuesWithin(ANSWER, 'nme.x'), /The answer has no 'nme'/)
})

test('what is no path is refused whatever it is for', () => {
  requirePaths(['nme', 'data[].x'])
  assert.throws(() => requirePaths(['id', 'a..b']), /'a\.\.b' is no path/)
})

test.run()
