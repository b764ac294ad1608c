import { groupActivity } from '../../../../src/dashboard/screens/live/group-activity.ts'
import { assert, suite } from '../../../support/suite.ts'
import { causedBy, eventWith, NOW, requestWith } from '../../dashboard-samples.ts'

const test = suite('dashboard/screens/live/group-activity')

function shape(groups: ReturnType<typeof groupActivity>): readonly string[] {
  return groups.map(({ key, request, events }) => {
    const sequences = events.map(({ sequence }) => sequence).join(',')
    return `${key}${request === null ? '?' : ''} ${sequences}`.trim()
  })
}

test('groups events under the request that caused them, newest request first', () => {
  const events = [
    eventWith(1, { request: causedBy('req_a') }),
    eventWith(2, { request: causedBy('req_a') }),
    eventWith(3, { request: causedBy('req_c') }),
  ]
  const requests = ['req_a', 'req_b', 'req_c'].map((id) => requestWith(id))
  assert.equal(shape(groupActivity(events, requests)), ['req_c 3', 'req_b', 'req_a 1,2'])
})

test('shows events before the log entry of their request arrives', () => {
  const events = [1, 2].map((at) => eventWith(at, { request: causedBy(`req_${at}`) }))
  assert.equal(shape(groupActivity(events, [requestWith('req_1')])), ['req_2? 2', 'req_1 1'])
})

test('groups events without a request by time and test clock', () => {
  const none = { request: null }
  const events = [
    eventWith(1, none),
    eventWith(2, none),
    eventWith(3, { ...none, created: NOW + 1 }),
    eventWith(4, { ...none, test_clock: 'clock_1', created: NOW + 86_400 }),
    eventWith(5, { ...none, test_clock: 'clock_1', created: NOW + 86_400 }),
    eventWith(6, { ...none, test_clock: 'clock_2', created: NOW + 86_400 }),
  ]
  assert.equal(shape(groupActivity(events, [])), ['evt_6? 6', 'evt_4? 4,5', 'evt_3? 3', 'evt_1? 1,2'])
})

test('sorts the events of a clock between the requests before and after these events', () => {
  const events = [
    eventWith(1, { request: causedBy('req_advance') }),
    eventWith(2, { request: null, test_clock: 'clock_1', created: NOW - 999_999 }),
    eventWith(3, { request: causedBy('req_after'), created: NOW + 5 }),
  ]
  const requests = [
    requestWith('req_advance'),
    requestWith('req_get', { created: NOW + 3 }),
    requestWith('req_after', { created: NOW + 5 }),
  ]
  assert.equal(shape(groupActivity(events, requests)), [
    'req_after 3',
    'req_get',
    'evt_2? 2',
    'req_advance 1',
  ])
})

test('sorts a later event without a request after the earlier requests', () => {
  const events = [eventWith(1, { request: null, created: NOW + 10 })]
  const requests = [requestWith('req_1'), requestWith('req_2', { created: NOW + 20 })]
  assert.equal(shape(groupActivity(events, requests)), ['req_2', 'evt_1? 1', 'req_1'])
})

test.run()
