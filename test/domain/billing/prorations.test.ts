import {
  getLatestProrationTime,
  prorateAmount,
  prorateChange,
} from '../../../src/domain/billing/prorations.ts'
import { amountsOf, changeInTurn, MONTH, regularLine, seat, taxOf } from '../../support/prorations.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/billing/prorations')

const DAY = 86_400

test('credits the unused time and charges the remaining time of an upgrade halfway', () => {
  const before = seat(1000, { tax_percent: 19 })
  const prorations = changeInTurn([before], [{ to: [seat(2000, { tax_percent: 19 })], at: 15 * DAY }])
  const common = {
    subscription_item: 'si_1',
    description: 'Seat',
    type: 'seat',
    proration: true,
    period: { start: 15 * DAY, end: 30 * DAY },
    quantity: 1,
    tax_percent: 19,
  }
  assert.equal(prorations, [
    { ...common, unit_amount: -1000, amount: -500 },
    { ...common, unit_amount: 2000, amount: 1000 },
  ])
  assert.equal(prorations.map(taxOf), [-95, 190])
})

test('rounds a third of a price half up', () => {
  assert.equal(amountsOf(changeInTurn([seat(1000)], [{ to: [seat(3000)], at: 20 * DAY }])), [-333, 1000])
  assert.is(prorateAmount(1, { start: 0, end: 2 }, 1), 1, 'half a unit')
  assert.is(prorateAmount(1, { start: 0, end: 3 }, 2), 0, 'a third of a unit')
  assert.is(prorateAmount(Number.MAX_SAFE_INTEGER, { start: 0, end: 2 }, 1), 2 ** 52)
})

test('rejects a time outside the period', () => {
  for (const at of [-1, MONTH.end]) assert.throws(() => prorateAmount(1000, MONTH, at), RangeError)
})

test('prorates the quantity', () => {
  const [credit, charge] = changeInTurn(
    [seat(1000, { quantity: 3 })],
    [{ to: [seat(1000, { quantity: 5 })], at: 15 * DAY }],
  )
  assert.equal([credit?.quantity, credit?.unit_amount, credit?.amount], [3, -1000, -1500])
  assert.equal([charge?.quantity, charge?.unit_amount, charge?.amount], [5, 1000, 2500])
})

test('credits only billed items', () => {
  const change = { before: [seat(2000)], after: [seat(3000)], period: MONTH, at: 15 * DAY }
  assert.equal(amountsOf(prorateChange({ ...change, billed: [] })), [1500], 'the invoice is void')
  const [credit] = prorateChange({ ...change, billed: [regularLine(seat(1000))] })
  assert.equal(
    [credit?.quantity, credit?.unit_amount, credit?.amount],
    [1, -1000, -500],
    'not prorated before',
  )
  const earlier = { start: -30 * DAY, end: 0 }
  assert.equal(amountsOf(prorateChange({ ...change, billed: [regularLine(seat(2000), earlier)] })), [1500])
})

test('finds the latest proration of the period', () => {
  assert.is(getLatestProrationTime([regularLine(seat(1000))], MONTH), 0)
  const changes = [
    { to: [seat(2000)], at: 5 * DAY },
    { to: [seat(3000)], at: 9 * DAY },
  ]
  const billed = changeInTurn([seat(1000)], changes)
  assert.is(getLatestProrationTime(billed, MONTH), 9 * DAY)
  assert.is(getLatestProrationTime(billed, { start: MONTH.end, end: 60 * DAY }), MONTH.end)
})

test.run()
