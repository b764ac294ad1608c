import fc from 'fast-check'
import { listMatchingLineIndexes } from '../../src/tui/event-search.ts'
import { createJsonLines, listNestedPointers } from '../../src/tui/json-lines.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('tui/json-lines')

const EVENT = {
  id: 'evt_1',
  data: { object: { name: 'Ada', tags: [1, 'a'], metadata: {}, 'a/b': { c: null } } },
}

const textsOf = (value: unknown, folded: readonly string[] = []) =>
  createJsonLines(value, new Set(folded)).map(({ spans }) => spans.map(({ text }) => text).join(''))

test('formats a value as JSON with a mark before each object and array', () => {
  assert.equal(textsOf(EVENT), [
    '▾ {',
    '    "id": "evt_1",',
    '  ▾ "data": {',
    '    ▾ "object": {',
    '        "name": "Ada",',
    '      ▾ "tags": [',
    '          1,',
    '          "a"',
    '        ],',
    '        "metadata": {},',
    '      ▾ "a/b": {',
    '          "c": null',
    '        }',
    '      }',
    '    }',
    '  }',
  ])
})

test('shows a folded object or array as one line with its size', () => {
  assert.equal(textsOf(EVENT, ['/data/object/tags', '/data/object/a~1b']).slice(5, 9), [
    '      ▸ "tags": [ 2 items ],',
    '        "metadata": {},',
    '      ▸ "a/b": { 1 field }',
    '      }',
  ])
  assert.equal(textsOf(EVENT, ['']), ['▸ { 2 fields }'])
})

test('gives every line that can be folded its JSON pointer', () => {
  const pointers = createJsonLines(EVENT, new Set()).flatMap(({ fold }) => fold ?? [])
  assert.equal(pointers, ['', ...listNestedPointers(EVENT, new Set())])
  assert.equal(listNestedPointers(EVENT, new Set(['/data', '/data/object'])), [
    '/data/object/tags',
    '/data/object/a~1b',
  ])
})

test('the lines of any JSON value parse to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = textsOf(value)
        .join('\n')
        .replaceAll(/^( *)▾ /gm, '$1')
      assert.equal(JSON.parse(text), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('finds lines by their values, not by their field names', () => {
  const lines = createJsonLines({ name: 'Ada', metadata: { ada: 'x' }, town: 'GRANADA' }, new Set())
  assert.equal(listMatchingLineIndexes(lines, 'ada'), [1, 5])
  assert.equal(listMatchingLineIndexes(lines, ''), [])
})

test.run()
