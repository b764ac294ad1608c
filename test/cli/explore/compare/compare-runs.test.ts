import {
  type Baseline,
  compareRun,
  createBaseline,
  isOutcomeExpected,
} from '../../../../src/cli/explore/compare/compare-runs.ts'
import type { RunOutcome, RunRecord } from '../../../../src/cli/explore/model/run-record.ts'
import type { FaultSchedule } from '../../../../src/cli/explore/model/schedule.ts'
import { assert, suite } from '../../../support/suite.ts'
import {
  DUPLICATE,
  deliveryWith,
  FORGED,
  KILLED,
  LOST_RESPONSE,
  outcomeWith,
  PAID_ORDER,
  recordWith,
  SUCCEEDED_PAYMENT,
} from '../sample-runs.ts'

const test = suite('cli/explore/compare-runs')

const BASELINE: Baseline = createBaseline([recordWith(), recordWith()])
const NOTHING: Partial<RunOutcome> = { observation: '{"orders":[]}', objects: {} }
const ORDER_WITHOUT_MONEY: Partial<RunOutcome> = { objects: {} }
const MONEY_WITHOUT_ORDER: Partial<RunOutcome> = { observation: '{"orders":[]}' }
const UNPAID_ORDER: Partial<RunOutcome> = ordersOf({ ...PAID_ORDER, status: 'pending' })
const TWO_ORDERS: Partial<RunOutcome> = ordersOf(PAID_ORDER, { ...PAID_ORDER, id: 2 })
const SECOND_UNPAID_ORDER: Partial<RunOutcome> = ordersOf(PAID_ORDER, { ...PAID_ORDER, status: 'pending' })
const TWO_PAYMENTS: Partial<RunOutcome> = { objects: { payments: [SUCCEEDED_PAYMENT, SUCCEEDED_PAYMENT] } }
const FAILED = { scenarioError: 'exit code 1', scenarioFailure: 'soon' } as const
const IMPATIENT = { ...FAILED, scenarioFailure: 'undelivered' } as const
const WAITED = { ...FAILED, scenarioFailure: 'late' } as const

function ordersOf(...orders: object[]): Partial<RunOutcome> {
  return { observation: JSON.stringify({ orders }) }
}

function textsAfter(
  schedule: FaultSchedule,
  outcome: Partial<RunOutcome>,
  fields: Partial<RunRecord> = {},
): string[] {
  return compareRun(BASELINE, recordWith({ ...fields, schedule, outcome })).findings.map(({ text }) => text)
}

test('reports every difference after faults on deliveries', () => {
  assert.equal(textsAfter([DUPLICATE], {}), [])
  for (const outcome of [
    NOTHING,
    MONEY_WITHOUT_ORDER,
    UNPAID_ORDER,
    TWO_ORDERS,
    SECOND_UNPAID_ORDER,
    TWO_PAYMENTS,
  ])
    assert.is.not(textsAfter([DUPLICATE], outcome).length, 0)
})

test('reports nothing when a failed request left no payment and no paid order, whether or not the scenario failed', () => {
  for (const fault of [LOST_RESPONSE, KILLED]) {
    assert.equal(textsAfter([fault], NOTHING), [])
    assert.equal(textsAfter([fault], { ...NOTHING, ...FAILED }), [])
    assert.equal(textsAfter([fault], { ...UNPAID_ORDER, objects: {} }), [])
  }
})

test('reports nothing when a failed request left an unpaid order beside the paid order', () => {
  assert.equal(textsAfter([LOST_RESPONSE], SECOND_UNPAID_ORDER), [])
})

test('reports payments without an order and orders without a payment after a failed request', () => {
  assert.equal(textsAfter([LOST_RESPONSE], MONEY_WITHOUT_ORDER), [
    'orders: no entries instead of 1 (missing: {"id":"<id>","session":"<py_sess>","amount":2000,"status":"paid"})',
  ])
  assert.equal(textsAfter([LOST_RESPONSE], { ...MONEY_WITHOUT_ORDER, ...FAILED }).length, 1)
  assert.equal(textsAfter([KILLED], UNPAID_ORDER), ['orders[].status: "pending" instead of "paid"'])
  assert.equal(textsAfter([LOST_RESPONSE], ORDER_WITHOUT_MONEY), [
    'payments: one fewer succeeded payment of 20.00 EUR (0 instead of 1)',
  ])
})

test('reports repeated orders and payments after any fault', () => {
  for (const schedule of [[LOST_RESPONSE], [KILLED], [DUPLICATE, LOST_RESPONSE]]) {
    assert.is(textsAfter(schedule, TWO_ORDERS).length, 1)
    assert.is(textsAfter(schedule, { ...TWO_PAYMENTS, ...FAILED }).length, 1)
  }
})

test('reports no difference in state when the scenario stopped between two steps', () => {
  // The scenario did not wait for a held event, and its last step, a refund, is missing.
  assert.equal(textsAfter([DUPLICATE], { ...UNPAID_ORDER, ...IMPATIENT }), [])
  assert.equal(textsAfter([LOST_RESPONSE], { ...UNPAID_ORDER, ...FAILED, expectation: 1 }), [])
})

test('reports a scenario that fails only after faults on deliveries, with the differences of the state', () => {
  const error = 'exit code 1\nat Test.run\nAssertionError: the order is not paid\n1 failed'
  for (const scenarioFailure of ['soon', 'late'] as const) {
    assert.equal(textsAfter([DUPLICATE], { ...UNPAID_ORDER, scenarioError: error, scenarioFailure }), [
      'orders[].status: "pending" instead of "paid"',
      'the scenario failed: exit code 1: AssertionError: the order is not paid',
    ])
  }
  assert.equal(textsAfter([DUPLICATE], FAILED), ['the scenario failed: exit code 1'])
  const cut = 'exit code 1\n  [cause]: [TypeError: fetch failed] {\n    code: 1'
  assert.equal(textsAfter([DUPLICATE], { ...FAILED, scenarioError: cut }), [
    'the scenario failed: exit code 1: [cause]: [TypeError: fetch failed]',
  ])
})

test('reports lost work when the scenario waited without success after a failed request or a restart', () => {
  for (const fault of [LOST_RESPONSE, KILLED]) {
    assert.equal(textsAfter([fault], { ...UNPAID_ORDER, ...WAITED }), [
      'orders[].status: "pending" instead of "paid"',
    ])
    assert.equal(textsAfter([fault], WAITED), [])
  }
})

test('returns the differences that are not findings', () => {
  const record = recordWith({ schedule: [KILLED], outcome: { ...NOTHING, ...FAILED } })
  assert.equal(
    compareRun(BASELINE, record).allowed.map(({ kind }) => kind),
    ['observation', 'money', 'scenario'],
  )
})

test('reports crashes and accepted forgeries even when the scenario failed', () => {
  assert.equal(textsAfter([LOST_RESPONSE], { ...NOTHING, ...FAILED, hasCrashed: true }), [
    'the app ended by itself',
  ])
  const acceptedForgeries = ['payment.succeeded bad_signature', 'invoice.paid old_timestamp']
  assert.equal(textsAfter([FORGED], { acceptedForgeries, ...IMPATIENT }), [
    'the handler acknowledged a delivery of payment.succeeded with an invalid signature',
    'the handler acknowledged a delivery of invoice.paid that was signed ten minutes before',
  ])
})

test('does not compare the observation of a crashed app', () => {
  assert.equal(textsAfter([DUPLICATE], { ...UNPAID_ORDER, hasCrashed: true }), ['the app ended by itself'])
})

test('reports an event that was never acknowledged, unless it is about a lost object', () => {
  const unacknowledged = ['payment.succeeded']
  const refused = [deliveryWith({ status: 500 })]
  assert.equal(textsAfter([DUPLICATE], { unacknowledged }, { deliveries: refused }), [
    'the app never acknowledged payment.succeeded',
  ])
  const other = [deliveryWith({ event: 'evt_2', status: 404 }), deliveryWith({ event: 'evt_3' })]
  assert.equal(textsAfter([LOST_RESPONSE], { unacknowledged }, { deliveries: other }), [])
  const always = createBaseline([recordWith({ outcome: { unacknowledged } }), recordWith()])
  const record = recordWith({ schedule: [DUPLICATE], outcome: { unacknowledged }, deliveries: refused })
  assert.equal(compareRun(always, record).findings, [])
})

test('reports the first line of a failed expectation, unless a failed request left no payment and no order', () => {
  const failed = { expectation: 3, expectationOutput: 'no order\nmore' }
  assert.equal(textsAfter([DUPLICATE], failed), ['--expect failed with exit code 3: no order'])
  assert.equal(textsAfter([LOST_RESPONSE], { ...NOTHING, ...failed }), [])
  assert.is(textsAfter([LOST_RESPONSE], failed).length, 1)
})

test('ignores payments that differ between runs without faults', () => {
  const unstable = createBaseline([recordWith(), recordWith({ outcome: TWO_PAYMENTS })])
  assert.is(unstable.money, null)
  assert.equal(
    compareRun(unstable, recordWith({ schedule: [DUPLICATE], outcome: { objects: {} } })).findings,
    [],
  )
})

test('reports an id in place of another id after a fault on a delivery', () => {
  const invoices = (first: string, second: string) =>
    JSON.stringify({ orders: [{ customer: 'cus_4bT9xQ21ab' }], paid: [first, second] })
  const same = { observation: invoices('cus_4bT9xQ21ab', 'cus_9xQ21ab4bT') }
  const other = { observation: invoices('cus_9xQ21ab4bT', 'cus_1111111111a') }
  const baseline = createBaseline([recordWith({ outcome: same }), recordWith({ outcome: same })])
  const textsOf = (schedule: FaultSchedule) =>
    compareRun(baseline, recordWith({ schedule, outcome: { ...other, ...FAILED, scenarioError: null } }))
      .findings
  assert.is(textsOf([DUPLICATE]).length, 1)
  assert.equal(compareRun(baseline, recordWith({ schedule: [DUPLICATE], outcome: same })).findings, [])
})

test('recognizes an outcome that equals the outcome without faults', () => {
  assert.is(isOutcomeExpected(BASELINE, outcomeWith()), true)
  for (const outcome of [NOTHING, TWO_PAYMENTS, { unacknowledged: ['invoice.paid'] }, { expectation: 1 }])
    assert.is(isOutcomeExpected(BASELINE, outcomeWith(outcome)), false)
})

test.run()
