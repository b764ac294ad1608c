import { isAmountField, isTimestampField } from '../../../src/domain/text/field-names.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/text/field-names')

test('recognizes timestamp fields by their names', () => {
  const timestamps = [
    'created',
    'since',
    'expires_at',
    'start_date',
    'due_date',
    'evidence_due_by',
    'current_period_end',
    'period_start',
    'frozen_time',
    'target_frozen_time',
    'end',
  ]
  assert.equal(timestamps.filter(isTimestampField), timestamps)
  const others = [
    'amount',
    'id',
    'sequence',
    'attempt',
    'interval_count',
    'format',
    'days_until_due',
    'status',
  ]
  assert.equal(others.filter(isTimestampField), [])
})

test('recognizes the fields that hold amounts', () => {
  const amounts = ['amount', 'amount_due', 'unit_amount', 'subtotal', 'tax', 'total', 'ending_balance']
  assert.equal(amounts.filter(isAmountField), amounts)
  assert.equal(['quantity', 'tax_percent', 'balances', 'created'].filter(isAmountField), [])
})

test.run()
