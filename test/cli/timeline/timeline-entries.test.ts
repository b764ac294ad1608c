import { toTimelineEntry } from '../../../src/cli/timeline/timeline-entries.ts'
import type { Event } from '../../../src/domain/events/events.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/timeline-entries')

const NEW_YEAR = 1704067200

/** Creates an event with previous attributes. */
function event(object: object, previous_attributes?: object, more: Partial<Event> = {}): Event {
  return {
    id: 'evt_1',
    object: 'event',
    type: 'invoice.updated',
    api_version: '1',
    created: NEW_YEAR,
    livemode: false,
    data: { object, ...(previous_attributes ? { previous_attributes } : {}) },
    pending_webhooks: 0,
    request: null,
    sequence: 7,
    test_clock: null,
    ...more,
  } as Event
}

test('lists no changes for the first event of an object', () => {
  assert.equal(toTimelineEntry(event({ id: 'in_1', object: 'invoice' })), {
    time: NEW_YEAR,
    type: 'invoice.updated',
    object: 'in_1',
    changes: [],
    request: null,
    event: 'evt_1',
    sequence: 7,
  })
})

test('lists changed fields, including nested fields, with their old and new values', () => {
  const now = {
    id: 'in_1',
    object: 'invoice',
    status: 'open',
    tags: ['a', 'b'],
    last_payment_error: { code: 'card_declined', deep: { same: 1, other: 2 } },
    metadata: { kept: 'x', added: 'y' },
    gone: null,
  }
  const before = {
    status: 'draft',
    tags: ['a'],
    last_payment_error: null,
    metadata: { kept: 'x', removed: 'z' },
    gone: { inside: 1 },
  }
  assert.equal(toTimelineEntry(event(now, before)).changes, [
    { field: 'status', from: 'draft', to: 'open' },
    { field: 'tags', from: ['a'], to: ['a', 'b'] },
    { field: 'last_payment_error.code', from: null, to: 'card_declined' },
    { field: 'last_payment_error.deep.same', from: null, to: 1 },
    { field: 'last_payment_error.deep.other', from: null, to: 2 },
    { field: 'metadata.removed', from: 'z', to: null },
    { field: 'metadata.added', from: null, to: 'y' },
    { field: 'gone.inside', from: 1, to: null },
  ])
})

test('names the API request that caused the event', () => {
  const request = { id: 'req_1', idempotency_key: null }
  assert.is(toTimelineEntry(event({ id: 'in_1', object: 'invoice' }, {}, { request })).request, 'req_1')
})

test('uses the frozen time of the clock instead of real time for its events', () => {
  const clock = { id: 'clock_1', object: 'test_clock', frozen_time: 5 }
  assert.is(toTimelineEntry(event(clock)).time, 5)
})

test.run()
