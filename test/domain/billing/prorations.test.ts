import { latestProrationAt, prorateAmount, prorateChange } from '../../../src/domain/billing/prorations.ts'
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

test('prorates whole amounts at the start of the period', () => {
  assert.equal(amountsOf(changeInTurn([seat(1000)], [{ to: [seat(2000)], at: 0 }])), [-1000, 2000])
})

test('prorates the quantity', () => {
  const [credit, charge] = changeInTurn(
    [seat(1000, { quantity: 3 })],
    [{ to: [seat(1000, { quantity: 5 })], at: 15 * DAY }],
  )
  assert.equal([credit?.quantity, credit?.unit_amount, credit?.amount], [3, -1000, -1500])
  assert.equal([charge?.quantity, charge?.unit_amount, charge?.amount], [5, 1000, 2500])
})

test('credits a removed item, charges an added one and ignores an unchanged one', () => {
  const [kept, removed, added] = ['si_1', 'si_2', 'si_3'].map((id) => seat(1000, { id }))
  if (!kept || !removed || !added) throw new Error('there are three items')
  const renamed = { ...kept, description: 'Chair' }
  const prorations = changeInTurn([kept, removed], [{ to: [renamed, added], at: 15 * DAY }])
  assert.equal(
    prorations.map(({ subscription_item, amount }) => [subscription_item, amount]),
    [
      ['si_2', -500],
      ['si_3', 500],
    ],
  )
})

test('has no line for a price of zero', () => {
  assert.equal(amountsOf(changeInTurn([seat(0)], [{ to: [seat(1000)], at: 15 * DAY }])), [500])
  assert.equal(amountsOf(changeInTurn([seat(1000)], [{ to: [seat(0)], at: 15 * DAY }])), [-500])
})

test('prorates a change of the tax rate alone', () => {
  const prorations = changeInTurn(
    [seat(1000, { tax_percent: 19 })],
    [{ to: [seat(1000, { tax_percent: 7 })], at: 15 * DAY }],
  )
  assert.equal(prorations.map(taxOf), [-95, 35])
})

test('credits only what was billed', () => {
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

test('credits the tax rate that was billed', () => {
  const change = { before: [seat(1000, { tax_percent: 7 })], after: [], period: MONTH, at: 15 * DAY }
  const [credit] = prorateChange({ ...change, billed: [regularLine(seat(1000, { tax_percent: 19 }))] })
  assert.is(credit?.tax_percent, 19)
})

test('returns to the billed price without a line', () => {
  const change = { before: [seat(2000)], after: [seat(1000)], period: MONTH, at: 15 * DAY }
  assert.equal(prorateChange({ ...change, billed: [regularLine(seat(1000))] }), [])
})

test('ignores the credits that an earlier start of the same period left', () => {
  const reset = changeInTurn([seat(1000)], [{ to: [], at: 0 }])
  const billed = [regularLine(seat(1000)), ...reset, regularLine(seat(1000))]
  const prorations = prorateChange({ before: [seat(1000)], after: [], billed, period: MONTH, at: 15 * DAY })
  assert.equal(amountsOf(prorations), [-500])
})

test('credits nothing when the voided invoice charged less than was credited', () => {
  const [credit] = changeInTurn([seat(1000)], [{ to: [seat(500)], at: 10 * DAY }])
  if (credit === undefined) throw new Error('the change has a credit')
  const change = { before: [seat(500)], after: [], billed: [credit], period: MONTH, at: 15 * DAY }
  assert.equal(prorateChange(change), [])
})

test('finds the latest proration of the period', () => {
  assert.is(latestProrationAt([regularLine(seat(1000))], MONTH), 0)
  const changes = [
    { to: [seat(2000)], at: 5 * DAY },
    { to: [seat(3000)], at: 9 * DAY },
  ]
  const billed = changeInTurn([seat(1000)], changes)
  assert.is(latestProrationAt(billed, MONTH), 9 * DAY)
  assert.is(latestProrationAt(billed, { start: MONTH.end, end: 60 * DAY }), MONTH.end)
})

test.run()
