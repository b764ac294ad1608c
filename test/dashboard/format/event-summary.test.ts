import { deliveryWord } from '../../../src/dashboard/format/delivery-word.ts'
import { summarizeEvent } from '../../../src/dashboard/format/event-summary.ts'
import { formatDuration } from '../../../src/dashboard/format/format-duration.ts'
import { SAMPLES } from '../../store/samples.ts'
import { assert, suite } from '../../support/suite.ts'
import { deliveryWith, eventWith } from '../dashboard-samples.ts'

const test = suite('dashboard/format/event-summary')

test('summarizes the object of an event by amount and customer', () => {
  assert.equal(summarizeEvent(eventWith(1)), { id: 'cus_sample', amount: null, person: 'jane@example.com' })
  const { id, amount } = summarizeEvent(eventWith(2, { data: { object: SAMPLES.invoices } }))
  assert.is(id, SAMPLES.invoices.id)
  assert.match(String(amount), /^\d+\.\d\d EUR$/)
})

test('formats durations in milliseconds, then in seconds', () => {
  assert.equal([0, 999, 1000, 1254, 30_000].map(formatDuration), ['0 ms', '999 ms', '1 s', '1.25 s', '30 s'])
})

test('names the result of a delivery by status, reason or state', () => {
  const none = { http_status: null } as const
  assert.is(deliveryWord(deliveryWith('whd_1')), '200')
  assert.is(deliveryWord(deliveryWith('whd_1', { ...none, status: 'failed', error: 'refused' })), 'refused')
  assert.is(deliveryWord(deliveryWith('whd_1', { ...none, status: 'pending' })), 'pending')
})

test.run()
