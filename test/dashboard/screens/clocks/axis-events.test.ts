import { findIntegerField, toAxisEvents } from '../../../../src/dashboard/screens/clocks/axis-events.ts'
import type { Event } from '../../../../src/domain/events/events.ts'
import type { TestClock } from '../../../../src/domain/time/test-clocks.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('dashboard axis events')

const OBJECT: TestClock = {
  ...{ id: 'clock_1', object: 'test_clock', created: 1, livemode: false, name: null, frozen_time: 1 },
  ...{ month_steps_start: null, status: 'ready', status_details: { advancing: null } },
}

function eventOf(sequence: number): Event {
  return {
    ...{ id: `evt_${sequence}`, object: 'event', type: 'test_clock.created', api_version: '1' },
    ...{ created: sequence, livemode: false, data: { object: OBJECT }, pending_webhooks: 0 },
    ...{ request: null, sequence, test_clock: null },
  }
}

test('converts past and projected events to axis events', () => {
  assert.equal(toAxisEvents([eventOf(7)]), [
    {
      key: 'evt_7',
      id: 'evt_7',
      type: 'test_clock.created',
      created: 7,
      object: { ...OBJECT },
      isProjected: false,
    },
  ])
  const projected = { type: 'invoice.paid', created: 9 }
  assert.equal(toAxisEvents([{ ...projected, data: { object: { ...OBJECT } } }]), [
    {
      key: 'projected-1',
      id: null,
      type: 'invoice.paid',
      created: 9,
      object: { ...OBJECT },
      isProjected: true,
    },
  ])
})

test('returns an integer field, and null for any other value', () => {
  assert.is(findIntegerField({ amount: 5 }, 'amount'), 5)
  assert.is(findIntegerField({ amount: '5' }, 'amount'), null)
  assert.is(findIntegerField({}, 'amount'), null)
})

test.run()
