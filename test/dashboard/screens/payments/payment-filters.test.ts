import {
  createPaymentListSource,
  isMatchingPayment,
  readPaymentFilters,
  toPaymentsQuery,
  toStatisticsQuery,
} from '../../../../src/dashboard/screens/payments/payment-filters.ts'
import type { Payment } from '../../../../src/domain/payments/payments.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('dashboard/screens/payments/payment-filters')

const DAY = 86_400
const read = (query: string) => readPaymentFilters(new URLSearchParams(query))

test('ignores invalid filter values', () => {
  assert.equal(read('status=x&from=2026-13-45&to=tomorrow&interval=hour'), read(''))
})

test('includes the last day of the range in the payments query and the statistics query', () => {
  const filters = read('from=1970-01-02&to=1970-01-03&test_clock=clock_1&status=failed')
  assert.equal(toPaymentsQuery(filters), {
    status: 'failed',
    customer: '',
    'created[gte]': DAY,
    'created[lt]': 3 * DAY,
  })
  assert.equal(toStatisticsQuery(filters), {
    interval: 'day',
    test_clock: 'clock_1',
    start: DAY,
    end: 3 * DAY,
  })
})

test('sends no test clock for real time', () => {
  assert.is(toStatisticsQuery(read('test_clock=none')).test_clock, undefined)
})

test('selects payments by status, customer, clock and range', () => {
  const payment = { status: 'failed', customer: 'cus_1', test_clock: null, created: DAY } as Payment
  const isSelected = (query: string, changes: Partial<Payment> = {}) =>
    isMatchingPayment({ ...payment, ...changes }, read(query))
  assert.ok(isSelected(''))
  assert.ok(isSelected('status=failed&customer=cus_1&test_clock=none&from=1970-01-02&to=1970-01-02'))
  assert.not.ok(isSelected('status=succeeded'))
  assert.not.ok(isSelected('customer=cus_2'))
  assert.not.ok(isSelected('test_clock=none', { test_clock: 'clock_1' }))
  assert.ok(isSelected('test_clock=clock_1', { test_clock: 'clock_1' }))
  assert.not.ok(isSelected('to=1970-01-01'))
  assert.not.ok(isSelected('from=1970-01-03'))
})

test('searches the same events of a test clock again when the status filter changes', () => {
  const sourceOf = (query: string) => createPaymentListSource(read(query))
  const [failed, succeeded] = ['failed', 'succeeded'].map((status) =>
    sourceOf(`test_clock=clock_1&status=${status}`),
  )
  assert.equal([failed?.path, failed?.query], [succeeded?.path, succeeded?.query])
  assert.is.not(failed?.search, succeeded?.search)
  assert.is(sourceOf('test_clock=none&status=failed').query['status'], 'failed')
})

test.run()
