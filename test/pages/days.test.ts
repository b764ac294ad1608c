import { formatDay, formatMinutes } from '../../src/pages/days.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('days')
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

test('a day is the one in UTC', () => {
  assert.is(plain(formatDay(0)), '1 January 1970')
  assert.is(plain(formatDay(1_709_251_199)), '29 February 2024')
  assert.is(plain(formatDay(1_709_251_200)), '1 March 2024')
})

test('a wait is rounded up to minutes', () => {
  assert.is(formatMinutes(0), 'a minute')
  assert.is(formatMinutes(60), 'a minute')
  assert.is(formatMinutes(61), '2 minutes')
  assert.is(formatMinutes(3600), '60 minutes')
})

test.run()
