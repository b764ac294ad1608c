import fc from 'fast-check'
import {
  combineWithDefaultPattern,
  isPattern,
  matchesGlob,
  matchesPattern,
} from '../../../src/domain/text/globs.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/text/globs')

/** Columns: glob, matching texts, other texts. */
const TABLE: readonly (readonly [glob: string, matches: readonly string[], others: readonly string[]])[] = [
  ['invoice.paid', ['invoice.paid'], ['invoice.paid.', 'xinvoice.paid', 'invoice_paid', '']],
  ['*', ['', 'invoice.paid'], []],
  ['invoice.*', ['invoice.', 'invoice.paid'], ['invoice', 'invoiceXpaid']],
  ['*.completed', ['checkout_session.completed'], ['checkout_session.completed.x']],
  ['a*a', ['aa', 'aba'], ['a', 'ab']],
  ['*a*b*', ['ab', 'xaxbx'], ['ba', 'a', 'b']],
  ['a*bc*bcd', ['abcbcd', 'axbcxbcd'], ['abcd', 'abbcd']],
  ['', [''], ['a']],
]

for (const [glob, matches, others] of TABLE) {
  test(`the glob '${glob}' matches ${JSON.stringify(matches)} but not ${JSON.stringify(others)}`, () => {
    for (const text of matches) assert.is(matchesGlob(glob, text), true, text)
    for (const text of others) assert.is(matchesGlob(glob, text), false, text)
  })
}

test('a glob matches the same strings as the equivalent regular expression', () => {
  const pieces = fc.array(fc.constantFrom('a', 'b', '.', '*'), { maxLength: 8 })
  const texts = fc.array(fc.constantFrom('a', 'b', '.'), { maxLength: 8 })
  fc.assert(
    fc.property(pieces, texts, (glob, letters) => {
      const text = letters.join('')
      const pattern = new RegExp(`^${glob.join('').replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
      assert.is(matchesGlob(glob.join(''), text), pattern.test(text))
    }),
    { numRuns: 2000 },
  )
})

test('matches a glob with many stars in linear time', () => {
  // A regular expression would backtrack exponentially.
  const glob = `${'*a'.repeat(5000)}*x`
  assert.is(matchesGlob(glob, 'a'.repeat(10_000)), false)
  assert.is(matchesGlob(`${'*'.repeat(10_000)}x`, 'a'.repeat(10_000)), false)
})

test('a pattern matches as a glob, and a leading ! inverts the match', () => {
  for (const [pattern, text, isMatch] of [
    ['/v1/stream*', '/v1/stream/results', true],
    ['!/v1/stream*', '/v1/stream/results', false],
    ['!/v1/stream*', '/v1/streams', false],
    ['!/v1/stream*', '/v1/customers', true],
    ['!/v1/customers', '/v1/customers/cus_1', true],
    ['/v1/customers', '/v1/customers', true],
  ] as const)
    assert.is(matchesPattern(pattern, text), isMatch, `${pattern} ${text}`)
  assert.equal(['/v1/customers', '!/v1', '/v1/*'].map(isPattern), [false, true, true])
  assert.equal(combineWithDefaultPattern('!/v1/a*', '!/v1/stream*'), ['!/v1/a*', '!/v1/stream*'])
  assert.equal(combineWithDefaultPattern('/v1/*', '!/v1/stream*'), ['/v1/*'])
})

test.run()
