import { createFeed, isFailed, visibleRows } from '../../src/tui/model.ts'
import { assert, suite } from '../support/suite.ts'
import { BROKEN, deliveryOf, eventOf } from './scenes.ts'

const test = suite('tui/feed')

test('only so many rows are kept, and all are counted', () => {
  const { feed, put } = createFeed()
  for (let number = 1; number <= 10_000; number += 1) put({ type: 'event', event: eventOf(number) }, 0)
  assert.is(feed.counts.events, 10_000)
  assert.ok(feed.rows.length >= 2000 && feed.rows.length <= 2500, `${feed.rows.length} rows`)
  assert.is(feed.rows.at(-1)?.event.id, 'evt_10000')
})

test('a delivery that a later one to the same target made good has not failed', () => {
  const { feed, put } = createFeed()
  put({ type: 'event', event: eventOf(1) }, 0)
  put(deliveryOf(1, BROKEN), 0)
  assert.equal(feed.rows.map(isFailed), [true])
  put(deliveryOf(1, { id: 'whd_2', webhook_endpoint: 'we_2' }), 0)
  assert.equal(feed.rows.map(isFailed), [true])
  put(deliveryOf(1, { id: 'whd_3', attempt: 2 }), 0)
  assert.equal(feed.rows.map(isFailed), [false])
})

test('an event has failed once, however often it was tried, and until it is taken', () => {
  const { feed, put, clear } = createFeed()
  for (const number of [1, 2]) {
    put({ type: 'event', event: eventOf(number) }, 0)
    for (const attempt of [1, 2, 3]) put(deliveryOf(number, { ...BROKEN, id: `whd_${attempt}`, attempt }), 0)
  }
  assert.equal(feed.counts, { events: 2, failed: 2 })
  put(deliveryOf(1, { id: 'whd_4', attempt: 4 }), 0)
  assert.equal(feed.counts, { events: 2, failed: 1 })
  clear()
  put(deliveryOf(2, { id: 'whd_4', attempt: 4 }), 0)
  assert.equal(feed.counts, { events: 2, failed: 0 })
})

test('a type filter is a glob and nothing more', () => {
  const { feed, put } = createFeed()
  put({ type: 'event', event: eventOf(1, { type: 'invoice.paid' }) }, 0)
  put({ type: 'event', event: eventOf(2, { type: 'invoiceXpaid' }) }, 0)
  const left = (types: string) =>
    visibleRows(feed, { search: '', types, failedOnly: false, until: null }).map(({ event }) => event.id)
  assert.equal(left('invoice.*'), ['evt_1'])
  assert.equal(left('*paid'), ['evt_1', 'evt_2'])
  assert.equal(left('(('), [])
})

test.run()
