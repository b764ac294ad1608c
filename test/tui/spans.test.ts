import {
  createSpan,
  createUntrustedLines,
  createUntrustedSpan,
  cutLine,
  fitColumn,
  fitLine,
  getLineWidth,
  type Line,
  underlineMatches,
  wrapLine,
  wrapUntrustedText,
} from '../../src/tui/spans.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('tui/spans')

const textOf = (line: Line) => line.map(({ text }) => text).join('')

test('cuts and pads a string to its columns', () => {
  for (const [text, width, column] of [
    ['payment', 8, 'payment '],
    ['payment', 6, 'payme…'],
    ['payment', 0, ''],
    ['支付宝', 4, '支… '],
  ] as const)
    assert.is(fitColumn(text, width), column)
})

test('cuts and pads a line of several spans to its columns', () => {
  const line = [createSpan('ab'), createSpan('支付'), createSpan('cd')]
  assert.is(textOf(cutLine(line, 8)), 'ab支付cd')
  assert.is(textOf(cutLine(line, 6)), 'ab支…')
  for (let width = 0; width < 12; width += 1) assert.is(getLineWidth(fitLine(line, width)), width)
})

test('wraps a line at its columns and indents the continuation lines', () => {
  const wrapped = wrapLine([createSpan('abcdefgh', { color: 'red' }), createSpan('ijklmnop')], 12, 2)
  assert.equal(wrapped.map(textOf), ['abcdefghijkl', '  mnop'])
  assert.equal(wrapped[0]?.[0], { text: 'abcdefgh', color: 'red' })
  assert.equal(wrapLine([createSpan('支付宝支付宝')], 11).map(textOf), ['支付宝支付', '宝'])
  assert.equal(wrapLine([], 12).map(textOf), [''])
})

test('underlines each occurrence of a search string, case-insensitively', () => {
  const marked = underlineMatches([createSpan('Ada and adam'), createSpan(' none')], 'ada')
  assert.equal(
    marked.map(({ text, isUnderlined = false }) => [text, isUnderlined]),
    [
      ['Ada', true],
      [' and ', false],
      ['ada', true],
      ['m', false],
      [' none', false],
    ],
  )
  assert.is(textOf(underlineMatches([createSpan('İada')], 'ada')), 'İada')
})

test('wraps untrusted text between words, up to a maximum number of lines', () => {
  assert.equal(wrapUntrustedText('It did not\u001b happen today', 12, 3), [
    'It did',
    'not\\u001b',
    'happen today',
  ])
  assert.equal(wrapUntrustedText('支付宝 支付宝 ok', 10, 3), ['支付宝', '支付宝 ok'])
  assert.match(wrapUntrustedText('one two three four five six', 10, 2).at(-1) ?? '', /…$/)
})

test('escapes control characters of untrusted text', () => {
  assert.is(createUntrustedSpan('a\u001b[2J\nb\tc').text, 'a\\u001b[2J↵b c')
  assert.equal(createUntrustedLines('a\r\nb\u202e').map(textOf), ['a\\u000d', 'b\\u202e'])
})

test.run()
