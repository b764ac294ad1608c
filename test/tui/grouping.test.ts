import { createEventFeed } from '../../src/tui/event-feed.ts'
import { sortRowsByGroup } from '../../src/tui/grouping.ts'
import { assert, suite } from '../support/suite.ts'
import { eventOf } from './test-screen.ts'

const test = suite('tui/grouping')

function rowsOf(events: readonly Parameters<typeof eventOf>[1][]) {
  const { feed, add } = createEventFeed()
  for (const [index, fields] of events.entries()) add({ type: 'event', event: eventOf(index + 1, fields) }, 0)
  return feed.rows
}

const idsOf = (rows: ReturnType<typeof sortRowsByGroup>) => rows.map(({ event }) => event.id)

test('groups the events of an object, with the object of the newest event last', () => {
  const rows = rowsOf(['a', 'b', 'a', 'c', 'b'].map((id) => ({ object: { id } })))
  assert.equal(idsOf(sortRowsByGroup(rows, 'object')), ['evt_1', 'evt_3', 'evt_4', 'evt_2', 'evt_5'])
  assert.is(sortRowsByGroup(rows, 'none'), rows)
})

test('groups events without a request by time', () => {
  const rows = rowsOf([
    { request: 'req_1', created: 1 },
    { created: 2 },
    { request: 'req_1', created: 3 },
    { created: 2 },
    { created: 4 },
  ])
  assert.equal(idsOf(sortRowsByGroup(rows, 'request')), ['evt_1', 'evt_3', 'evt_2', 'evt_4', 'evt_5'])
})

test.run()
