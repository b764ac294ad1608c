import {
  isMatch,
  readFilters,
  toPaymentsQuery,
  toStatisticsQuery,
  toUrlQuery,
} from '../../../../src/dashboard/screens/payments/payment-filters.ts'
import type { Payment } from '../../../../src/domain/payments/payments.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('dashboard/screens/payments/payment-filters')

const DAY = 86_400
const read = (query: string) => readFilters(new URLSearchParams(query))

test('reads filters from the URL and writes the same URL', () => {
  const query = 'status=failed&customer=cus_1&test_clock=none&from=2026-01-01&to=2026-01-31&interval=week'
  assert.is(new URLSearchParams(toUrlQuery(read(query))).toString(), query)
  assert.equal(toUrlQuery(read('')), {})
})

test('ignores values that the filters cannot have', () => {
  assert.equal(toUrlQuery(read('status=x&from=2026-13-45&to=tomorrow&interval=hour')), {})
})

test('includes the last day in the range of both operations', () => {
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

test('sends no clock for real time', () => {
  assert.is(toStatisticsQuery(read('test_clock=none')).test_clock, undefined)
})

test('selects payments by status, customer, clock and range', () => {
  const payment = { status: 'failed', customer: 'cus_1', test_clock: null, created: DAY } as Payment
  const isSelected = (query: string, changes: Partial<Payment> = {}) =>
    isMatch({ ...payment, ...changes }, read(query))
  assert.ok(isSelected(''))
  assert.ok(isSelected('status=failed&customer=cus_1&test_clock=none&from=1970-01-02&to=1970-01-02'))
  assert.not.ok(isSelected('status=succeeded'))
  assert.not.ok(isSelected('customer=cus_2'))
  assert.not.ok(isSelected('test_clock=none', { test_clock: 'clock_1' }))
  assert.ok(isSelected('test_clock=clock_1', { test_clock: 'clock_1' }))
  assert.not.ok(isSelected('to=1970-01-01'))
  assert.not.ok(isSelected('from=1970-01-03'))
})

test.run()
