import { getArrivalRate } from '../../../../src/dashboard/screens/live/arrival-rate.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('dashboard/screens/live/arrival-rate')

test('returns arrivals per second between the first and the last sample', () => {
  const samples = [
    { atMs: 0, events: 10, requests: 0 },
    { atMs: 1000, events: 10, requests: 1 },
    { atMs: 2000, events: 20, requests: 3 },
  ]
  assert.is(getArrivalRate(samples, 'events'), 5)
  assert.is(getArrivalRate(samples, 'requests'), 1.5)
})

test('returns 0 without two samples', () => {
  assert.is(getArrivalRate([], 'events'), 0)
  assert.is(getArrivalRate([{ atMs: 5, events: 3, requests: 3 }], 'events'), 0)
})

test.run()
