import type { RecordedDelivery } from '../../../../src/cli/explore/model/run-record.ts'
import type { ExplorationFault, ScheduledFault } from '../../../../src/cli/explore/model/schedule.ts'
import { addDeliveryFaults, findDeliveryProblems } from '../../../../src/cli/explore/run/delivery-results.ts'
import type { WebhookDelivery } from '../../../../src/domain/events/webhook-deliveries.ts'
import { assert, suite } from '../../../support/suite.ts'
import { DUPLICATE } from '../sample-runs.ts'

const test = suite('cli/explore/delivery-results')

const eventTypes = new Map([
  ['evt_1', 'payment.succeeded'],
  ['evt_2', 'invoice.paid'],
])

function attempt(event: string, number: number, fields: Partial<WebhookDelivery>): WebhookDelivery {
  return Object({ event, attempt: number, status: 'succeeded', fault: null, ...fields })
}

function webhook(event: string, atMs: number): RecordedDelivery {
  const point = { kind: 'delivery', event_type: eventTypes.get(event) ?? '', occurrence: 1 } as const
  return { point, event, summary: '', status: 200, durationMs: 1, fault: null, atMs }
}

function rules(fault: ExplorationFault): ReadonlyMap<string, ScheduledFault> {
  return new Map([['flt_1', { ...DUPLICATE, fault, options: {} }]])
}

test('returns the types of events that no attempt delivered', () => {
  const deliveries = [
    attempt('evt_1', 1, { status: 'failed' }),
    attempt('evt_1', 2, {}),
    attempt('evt_2', 1, { status: 'failed' }),
    attempt('evt_2', 2, { status: 'pending' }),
  ]
  const recorded = [webhook('evt_1', 1), webhook('evt_1', 2), webhook('evt_2', 3)]
  const { unacknowledged } = findDeliveryProblems(recorded, deliveries, new Map())
  assert.equal(unacknowledged, ['invoice.paid'])
})

test('returns the forgeries that the app accepted', () => {
  const acceptedOf = (attempt: WebhookDelivery) =>
    findDeliveryProblems([], [attempt], rules('bad_signature')).acceptedForgeries
  assert.equal(acceptedOf(attempt('evt_1', 1, { fault: 'flt_1' })), ['payment.succeeded bad_signature'])
  assert.equal(acceptedOf(attempt('evt_1', 1, { fault: 'flt_1', status: 'failed' })), [])
})

test('names the fault of each copy of a duplicate', () => {
  const deliveries = [attempt('evt_1', 1, { fault: 'flt_1' })]
  const recorded = [webhook('evt_1', 1), webhook('evt_2', 2), webhook('evt_1', 3)]
  const faults = addDeliveryFaults(recorded, deliveries, rules('duplicate'))
  assert.equal(
    faults.map(({ fault }) => fault),
    ['duplicate', null, 'duplicate'],
  )
})

test('includes an attempt that drop_attempt dropped, before its retry', () => {
  const deliveries = [attempt('evt_1', 1, { fault: 'flt_1', status: 'failed' }), attempt('evt_1', 2, {})]
  const recorded = [webhook('evt_2', 1), webhook('evt_1', 2)]
  const faults = addDeliveryFaults(recorded, deliveries, rules('drop_attempt'))
  assert.equal(
    faults.map(({ event, status, fault }) => [event, status, fault]),
    [
      ['evt_2', 200, null],
      ['evt_1', null, 'drop_attempt'],
      ['evt_1', 200, null],
    ],
  )
})

test.run()
