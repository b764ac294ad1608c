import { createEventFeed, filterEventRows, hasFailedDelivery } from '../../src/tui/event-feed.ts'
import { assert, suite } from '../support/suite.ts'
import { CUSTOMER, deliveryOf, eventOf, FAILURE } from './test-screen.ts'

const test = suite('tui/event-feed')

test('keeps at most 2500 rows and counts all events', () => {
  const { feed, add } = createEventFeed()
  for (let number = 1; number <= 10_000; number += 1) add({ type: 'event', event: eventOf(number) }, 0)
  assert.is(feed.counts.events, 10_000)
  assert.ok(feed.rows.length >= 2000 && feed.rows.length <= 2500, `${feed.rows.length} rows`)
  assert.is(feed.rows.at(-1)?.event.id, 'evt_10000')
})

test('does not mark an event as failed when a later delivery to the same target succeeded', () => {
  const { feed, add } = createEventFeed()
  add({ type: 'event', event: eventOf(1) }, 0)
  add(deliveryOf(1, FAILURE), 0)
  assert.equal(feed.rows.map(hasFailedDelivery), [true])
  add(deliveryOf(1, { id: 'whd_2', webhook_endpoint: 'we_2' }), 0)
  assert.equal(feed.rows.map(hasFailedDelivery), [true])
  add(deliveryOf(1, { id: 'whd_3', attempt: 2 }), 0)
  assert.equal(feed.rows.map(hasFailedDelivery), [false])
})

test('counts an event with several failed attempts once, until a delivery succeeds', () => {
  const { feed, add, clear } = createEventFeed()
  for (const number of [1, 2]) {
    add({ type: 'event', event: eventOf(number) }, 0)
    for (const attempt of [1, 2, 3]) add(deliveryOf(number, { ...FAILURE, id: `whd_${attempt}`, attempt }), 0)
  }
  assert.equal(feed.counts, { events: 2, failed: 2 })
  add(deliveryOf(1, { id: 'whd_4', attempt: 4 }), 0)
  assert.equal(feed.counts, { events: 2, failed: 1 })
  clear()
  add(deliveryOf(2, { id: 'whd_4', attempt: 4 }), 0)
  assert.equal(feed.counts, { events: 0, failed: 0 })
  add({ type: 'event', event: eventOf(3) }, 0)
  assert.equal([feed.counts, feed.newest], [{ events: 1, failed: 0 }, 3])
})

test('treats the type filter as a glob, not as a regular expression', () => {
  const { feed, add } = createEventFeed()
  add({ type: 'event', event: eventOf(1, { type: 'invoice.paid' }) }, 0)
  add({ type: 'event', event: eventOf(2, { type: 'invoiceXpaid' }) }, 0)
  const visibleIds = (types: string) =>
    filterEventRows(feed, { search: '', types, failedOnly: false, until: null }).map(({ event }) => event.id)
  assert.equal(visibleIds('invoice.*'), ['evt_1'])
  assert.equal(visibleIds('*paid'), ['evt_1', 'evt_2'])
  assert.equal(visibleIds('(('), [])
})

test('stores customer names from events, and searches events by these names', () => {
  const { feed, add } = createEventFeed()
  const invoice = { id: 'in_1', object: 'invoice', customer: 'cus_1', customer_email: 'b@x' }
  for (const [index, object] of [CUSTOMER, { ...CUSTOMER, name: 'Ada' }, invoice].entries())
    add({ type: 'event', event: eventOf(index, { object }) }, 0)
  assert.equal([...feed.names], [['cus_1', 'Ada']])
  const found = filterEventRows(feed, { search: 'ADA', types: '', failedOnly: false, until: null })
  assert.equal(
    found.map(({ event }) => event.id),
    ['evt_0', 'evt_1', 'evt_2'],
  )
})

test.run()
