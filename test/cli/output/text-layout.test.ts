import {
  canWrapWholeWords,
  wrapHanging,
  wrapNote,
  wrapProse,
  wrapText,
} from '../../../src/cli/output/text-layout.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/text-layout')

test('wraps at spaces and cuts only words that are too long', () => {
  assert.equal(wrapText('one two three', 8), ['one two', 'three'])
  assert.equal(wrapText('a abcdefghijk', 8), ['a', 'abcdefg…'])
  assert.ok(canWrapWholeWords('one two three', 5))
  assert.not.ok(canWrapWholeWords('one two three', 4))
})

test('continues a long command after a backslash, with a flag and its value on one line', () => {
  const note = "Next:\n  paycli checkout create --customer cus_1 --item 'Monthly rent:1000' --interval month"
  assert.is(
    wrapNote(note, 54),
    `Next:
  paycli checkout create --customer cus_1 \\
    --item 'Monthly rent:1000' --interval month`,
  )
  assert.is(wrapNote(note, 100), note)
})

test('does not wrap columns in a note', () => {
  for (const line of ['  Database        /home/ada/paycli.json', '12:00:00.000  200  POST  /v1/customers'])
    assert.is(wrapNote(line, 20), line)
})

test('wraps lines of a note that are not commands at spaces', () => {
  assert.is(wrapNote('Refund re_1 of 5.00 EUR is pending.', 20), 'Refund re_1 of 5.00\nEUR is pending.')
  assert.is(wrapNote('To see it, run npx paycli get py_1.', 20), 'To see it, run\nnpx paycli get py_1.')
  assert.is(wrapNote(`Log file: /home/${'a'.repeat(20)}.`, 20), `Log file:\n/home/${'a'.repeat(20)}.`)
})

test('wraps a command inside a sentence like prose', () => {
  const hint = 'Choose a card (list them: paycli cards list cus_1), or pay with another way of payment.'
  const lines = [
    'Choose a card (list them:',
    'paycli cards list cus_1), or pay with',
    'another way of payment.',
  ]
  assert.equal(wrapProse(hint, 38), lines)
  assert.equal(wrapProse('Use the address that `npx paycli serve` printed.', 30), [
    'Use the address that',
    '`npx paycli serve` printed.',
  ])
  assert.equal(wrapProse('For instance: npx paycli cards update cus_1 --card visa', 36), [
    'For instance:',
    'npx paycli cards update cus_1 \\',
    '  --card visa',
  ])
})

test('indents lines by the visible width of a styled start', () => {
  const start = '\x1b[1m?\x1b[22m '
  assert.equal(wrapHanging(start, 'one two three four five six', 22), [
    `${start}one two three four`,
    '  five six',
  ])
})

test.run()
