import { FORMATS } from '../../../src/api/schema/formats.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/schema/formats')

const isValid = (format: string, value: unknown) => FORMATS[format]?.isValid(value as never)

const LABEL_63 = 'a'.repeat(63)
const EMAILS: readonly (readonly [email: string, expected: boolean])[] = [
  ['ada@example.com', true],
  ['a@b', true],
  ["o'neil+tag@sub.example.co.uk", true],
  ['jürgen@müller.de', true],
  ['ada@xn--mller-kva.de', true],
  ['用户@例子.公司', true],
  ['поддержка@пример.рф', true],
  ['उदाहरण@भारत.भारत', true],
  [`a@${LABEL_63}.de`, true],
  [`a@${LABEL_63}a.de`, false],
  [`a@${'ü'.repeat(60)}.de`, false],
  ['a@123.de', true],
  ['a@99999999999.de', true],
  ['@example.com', false],
  ['ada', false],
  ['ada@', false],
  ['ada@-a.de', false],
  ['ada@a-.de', false],
  ['a b@example.com', false],
  ['a@b@c', false],
  ['a\u200bb@example.com', false],
  ['a\u202eb@example.com', false],
  ['ada@exam\u00adple.com', false],
  ['ada@example.com\n', false],
  [`${'ü'.repeat(122)}@example.de`, false],
]

for (const [email, expected] of EMAILS) {
  test(`${expected ? 'accepts' : 'rejects'} the email address ${JSON.stringify(email)}`, () => {
    assert.is(isValid('email', email), expected)
  })
}

const EMOJI = '😀'
const LENGTHS: readonly (readonly [what: string, metadata: object, expected: boolean])[] = [
  ['a value of 500 emoji', { k: EMOJI.repeat(500) }, true],
  ['a value of 501 emoji', { k: EMOJI.repeat(501) }, false],
  ['a value of 501 letters', { k: 'a'.repeat(501) }, false],
  ['a key of 40 emoji', { [EMOJI.repeat(40)]: 'v' }, true],
  ['a key of 41 emoji', { [EMOJI.repeat(41)]: 'v' }, false],
]

for (const [what, metadata, expected] of LENGTHS) {
  test(`${expected ? 'accepts' : 'rejects'} metadata with ${what}`, () => {
    assert.equal([isValid('metadata', metadata), isValid('metadata-update', metadata)], [expected, expected])
  })
}

const numbered = (count: number, letter: string, value: string | null) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${letter}${index}`, value]))

test('accepts 50 metadata keys with values, and 50 further keys that an update unsets', () => {
  assert.is(isValid('metadata', numbered(51, 'a', 'v')), false)
  assert.is(isValid('metadata', { ...numbered(50, 'a', 'v'), empty: '' }), true)
  assert.is(isValid('metadata-update', { ...numbered(50, 'a', 'v'), ...numbered(50, 'b', null) }), true)
  assert.is(isValid('metadata-update', { ...numbered(50, 'a', 'v'), ...numbered(51, 'b', null) }), false)
})

test.run()
