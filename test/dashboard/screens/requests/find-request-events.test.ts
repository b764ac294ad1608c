import {
  findRequestEvents,
  type ReadEvents,
} from '../../../../src/dashboard/screens/requests/find-request-events.ts'
import type { Event } from '../../../../src/domain/events/events.ts'
import { assert, suite } from '../../../support/suite.ts'
import { causedBy, eventWith, NOW } from '../../dashboard-samples.ts'

const test = suite('dashboard/screens/requests/find-request-events')

const REQUEST = { id: 'req_own', created: NOW, duration_ms: 20 }

/** Reads pages of events as the API does. */
function readerOf(events: readonly Event[]): ReadEvents {
  return async (query) => {
    const number = (name: string, without: number) => Number(query[name] ?? without)
    const matching = events
      .filter(
        ({ sequence, created }) =>
          sequence > number('sequence[gt]', 0) &&
          sequence <= number('sequence[lte]', Number.POSITIVE_INFINITY) &&
          created < number('created[lt]', Number.POSITIVE_INFINITY),
      )
      .toSorted((a, b) => b.sequence - a.sequence)
    const from = matching.findIndex(({ id }) => id === query.starting_after) + 1
    const limit = number('limit', 10)
    return { data: matching.slice(from, from + limit), has_more: matching.length > from + limit }
  }
}

function range(count: number, create: (sequence: number) => Event): Event[] {
  return Array.from({ length: count }, (_, at) => create(at + 1))
}

async function sequencesOf(events: readonly Event[]): Promise<readonly number[]> {
  return (await findRequestEvents(REQUEST, readerOf(events))).map(({ sequence }) => sequence)
}

test('finds the events of a request among all events of the same second', async () => {
  const events = range(250, (at) =>
    eventWith(at, {
      created: at <= 40 ? NOW - 60 : NOW,
      request: causedBy(at >= 200 && at <= 203 ? 'req_own' : 'req_other'),
    }),
  )
  assert.equal(await sequencesOf(events), [200, 201, 202, 203])
})

test('finds events on a test clock, whose time differs from the time of the request', async () => {
  const events = range(30, (at) =>
    eventWith(at, {
      created: at <= 10 ? NOW - 60 : NOW - 5_000_000 + at,
      test_clock: at <= 10 ? null : 'clock_1',
      request: causedBy(at >= 20 && at <= 21 ? 'req_own' : 'req_other'),
    }),
  )
  assert.equal(await sequencesOf(events), [20, 21])
})

test('finds events that continue on the next page', async () => {
  const events = range(300, (at) =>
    eventWith(at, { request: causedBy(at >= 95 && at <= 210 ? 'req_own' : 'req_other') }),
  )
  assert.equal((await sequencesOf(events)).length, 116)
})

test('returns no events for a request without events', async () => {
  assert.equal(await sequencesOf(range(30, (at) => eventWith(at, { request: causedBy('req_other') }))), [])
  assert.equal(await sequencesOf([]), [])
})

test.run()
