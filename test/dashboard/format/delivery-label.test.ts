import { deliveryLabel } from '../../../src/dashboard/format/delivery-label.ts'
import { formatDuration } from '../../../src/dashboard/format/format-time.ts'
import { assert, suite } from '../../support/suite.ts'
import { deliveryWith } from '../dashboard-samples.ts'

const test = suite('dashboard/format/delivery-label')

test('formats durations in milliseconds, then in seconds', () => {
  assert.equal([0, 999, 1000, 1254, 30_000].map(formatDuration), ['0 ms', '999 ms', '1 s', '1.25 s', '30 s'])
})

test('names the result of a delivery by status, reason or state', () => {
  const none = { http_status: null } as const
  assert.is(deliveryLabel(deliveryWith('whd_1')), '200')
  assert.is(deliveryLabel(deliveryWith('whd_1', { ...none, status: 'failed', error: 'refused' })), 'refused')
  assert.is(deliveryLabel(deliveryWith('whd_1', { ...none, status: 'pending' })), 'pending')
})

test.run()
