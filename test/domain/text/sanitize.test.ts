import { escapeUnsafeCharacters } from '../../../src/domain/text/sanitize.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/text/sanitize')

/** name, character */
const UNSAFE: readonly (readonly [name: string, character: string])[] = [
  ['NUL', '\u0000'],
  ['the bell', '\u0007'],
  ['backspace', '\b'],
  ['carriage return', '\r'],
  ['escape', '\u001b'],
  ['DEL', '\u007f'],
  ['the one-byte control sequence introducer', '\u009b'],
  ['next line', '\u0085'],
  ['a soft hyphen', '\u00ad'],
  ['a zero-width space', '\u200b'],
  ['right-to-left override', '\u202e'],
  ['a right-to-left isolate', '\u2067'],
  ['the line separator', '\u2028'],
  ['the paragraph separator', '\u2029'],
  ['a word joiner', '\u2060'],
  ['the byte order mark', '\ufeff'],
]

for (const [name, character] of UNSAFE) {
  test(`escapes ${name} in a text`, () => {
    const hex = character.charCodeAt(0).toString(16).padStart(4, '0')
    assert.is(escapeUnsafeCharacters(`a${character}b`), `a\\u${hex}b`)
  })
}

test('escapes both surrogates of an unsafe character outside the basic plane', () => {
  assert.is(escapeUnsafeCharacters('a\u{e0041}b'), 'a\\udb40\\udc41b')
})

test('returns a safe string unchanged', () => {
  for (const text of [
    '',
    'Ada Lovelace',
    'tab\tand\nnewline',
    'Žluťoučký kůň',
    '日本語',
    'مرحبا',
    '💶👩‍🚀'.replace('\u200d', ''),
  ]) {
    assert.is(escapeUnsafeCharacters(text), text)
  }
})

test('escapes every unsafe character of a text', () => {
  assert.is(escapeUnsafeCharacters('\u001b]8;;x\u0007y\u001b[31m'), '\\u001b]8;;x\\u0007y\\u001b[31m')
})

test('sanitized JSON parses to the same value', () => {
  const value = { text: 'a\u202eb\u2028c\u0085d\u{e0041}' }
  const text = escapeUnsafeCharacters(JSON.stringify(value))
  assert.match(text, /^[ -~]*$/)
  assert.equal(JSON.parse(text), value)
})

test.run()
