import { formatMarkLabel, groupByTime, placeMarks } from '../../../../src/dashboard/screens/clocks/marks.ts'
import { assert, suite } from '../../../support/suite.ts'
import { axisEvent } from './axis-samples.ts'

const test = suite('dashboard marks')

const SCALE = { start: 0, end: 1000, width: 1000 }

test('groups events of the same time, but never past events with projected events', () => {
  const groups = groupByTime([
    axisEvent('invoice.paid', 200),
    axisEvent('invoice.created', 100),
    axisEvent('payment.failed', 200),
    axisEvent('invoice.paid', 200, {}, true),
  ])
  assert.equal(
    groups.map(({ at, outcome, isProjected, events }) => [at, outcome, isProjected, events.length]),
    [
      [100, 'neutral', false, 1],
      [200, 'bad', false, 2],
      [200, 'good', true, 1],
    ],
  )
})

test('merges groups within the gap after the first group into one dot at their middle', () => {
  const times = [100, 110, 120, 130, 400]
  const marks = placeMarks(groupByTime(times.map((at) => axisEvent('invoice.paid', at))), SCALE, 26)
  assert.equal(
    marks.map(({ x, groups }) => [x, groups.length]),
    [
      [110, 3],
      [130, 1],
      [400, 1],
    ],
  )
})

test('never merges projected events and past events into one dot, and omits groups outside of the window', () => {
  const groups = groupByTime([
    axisEvent('invoice.paid', -1),
    axisEvent('invoice.paid', 500),
    axisEvent('invoice.paid', 505, {}, true),
    axisEvent('invoice.paid', 1001),
  ])
  assert.equal(
    placeMarks(groups, SCALE, 26).map(({ isProjected }) => isProjected),
    [false, true],
  )
})

test('describes a dot by its time, its main events and their amounts', () => {
  const [mark] = placeMarks(
    groupByTime([
      axisEvent('invoice.created', 500),
      axisEvent('invoice.paid', 500, { total: 1500, currency: 'eur' }, false),
      axisEvent('subscription.renewed', 500),
    ]),
    SCALE,
    26,
  )
  assert.ok(mark)
  assert.is(
    formatMarkLabel(mark),
    '1970-01-01 00:08:20, past: subscription.renewed, invoice.paid 15.00 EUR, 1 more',
  )
})

test.run()
