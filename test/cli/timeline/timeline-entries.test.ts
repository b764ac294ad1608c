import { toTimelineEntry } from '../../../src/cli/timeline/timeline-entries.ts'
import { assert, suite } from '../../support/suite.ts'
import { eventOf } from '../../tui/test-screen.ts'

const test = suite('cli/timeline-entries')

const NEW_YEAR = 1704067200

/**
 * Returns the timeline entry of an `invoice.updated` event with this object and, optionally, previous attributes and a
 * request id.
 */
const entryOf = (object: object, before?: object, request?: string) =>
  toTimelineEntry(
    eventOf(7, {
      type: 'invoice.updated',
      created: NEW_YEAR,
      object,
      ...(before && { before }),
      ...(request && { request }),
    }),
  )

test('lists no changes for the first event of an object', () => {
  assert.equal(entryOf({ id: 'in_1', object: 'invoice' }), {
    time: NEW_YEAR,
    type: 'invoice.updated',
    object: 'in_1',
    changes: [],
    request: null,
    event: 'evt_7',
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
  assert.equal(entryOf(now, before).changes, [
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
  assert.is(entryOf({ id: 'in_1', object: 'invoice' }, {}, 'req_1').request, 'req_1')
})

test('shows the frozen time of the clock instead of real time for events on a clock', () => {
  const clock = { id: 'clock_1', object: 'test_clock', frozen_time: 5 }
  assert.is(entryOf(clock).time, 5)
})

test.run()
