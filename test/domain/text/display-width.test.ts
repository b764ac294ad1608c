import {
  getDisplayWidth,
  padToWidth,
  sliceToWidth,
  truncateWithEllipsis,
} from '../../../src/domain/text/display-width.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/text/display-width')

const WIDTHS: readonly (readonly [text: string, width: number])[] = [
  ['', 0],
  ['Ada Lovelace', 12],
  ['Zoë', 3],
  ['Zoe\u0308', 3],
  ['山田 太郎', 9],
  ['ｶﾀｶﾅ', 4],
  ['한국', 4],
  ['🙂', 2],
  ['❤\ufe0f', 2],
  ['🇩🇪', 2],
  ['👍🏽', 2],
  ['…', 1],
]

for (const [text, width] of WIDTHS) {
  test(`${JSON.stringify(text)} takes ${width} columns`, () => assert.is(getDisplayWidth(text), width))
}

test('pads to a number of columns, not of characters', () => {
  assert.is(`${padToWidth('山', 4)}|`, '山  |')
  assert.is(padToWidth('abcdef', 3), 'abcdef')
})

test('truncates the end with an ellipsis, and never within a character', () => {
  assert.is(truncateWithEllipsis('abcdef', 6), 'abcdef')
  assert.is(truncateWithEllipsis('abcdef', 4), 'abc…')
  assert.is(truncateWithEllipsis('山田太郎', 4), '山…')
  assert.is(truncateWithEllipsis('abc', 0), '')
  assert.is(truncateWithEllipsis('abc', 1), '…')
  assert.is(truncateWithEllipsis('👩‍👩‍👧x', 2), '…')
  assert.is(truncateWithEllipsis('Zoe\u0308 Zoe\u0308', 4), 'Zoe\u0308…')
})

test('returns the start of a string up to a number of columns', () => {
  assert.is(sliceToWidth('abcdef', 4), 'abcd')
  assert.is(sliceToWidth('山田太郎', 5), '山田')
  assert.is(sliceToWidth('Zoe\u0308 Zoe', 3), 'Zoe\u0308')
  assert.is(sliceToWidth('abc', -1), '')
})

test.run()
