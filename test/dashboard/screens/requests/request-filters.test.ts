import {
  addLive,
  matchesFilters,
  toLogQuery,
} from '../../../../src/dashboard/screens/requests/request-filters.ts'
import { assert, suite } from '../../../support/suite.ts'
import { NOW, requestWith } from '../../dashboard-samples.ts'

const test = suite('dashboard/screens/requests/request-filters')

const NONE = { method: '', path: '', status: '' }

test('sends filters as parameters of the list', () => {
  assert.equal(toLogQuery(NONE), {})
  assert.equal(toLogQuery({ method: 'POST', path: ' payments ', status: '4' }), {
    ...{ method: 'POST', path: '*payments*', 'status[gte]': 400, 'status[lt]': 500 },
  })
  assert.equal(toLogQuery({ ...NONE, status: 'error', path: '!/v1/events*' }), {
    ...{ path: '!/v1/events*', 'status[gte]': 400 },
  })
  assert.equal(toLogQuery({ ...NONE, status: 'unknown' }), {})
})

test('selects live requests as the list does', () => {
  const log = requestWith('req_1', { method: 'POST', path: '/v1/payments', status: 402 })
  assert.ok(matchesFilters(log, { method: 'POST', path: 'pay', status: '4' }))
  assert.ok(matchesFilters(log, { ...NONE, status: 'error' }))
  assert.not(matchesFilters(log, { ...NONE, status: '2' }))
  assert.not(matchesFilters(log, { ...NONE, status: '5' }))
  assert.not(matchesFilters(log, { ...NONE, method: 'GET' }))
  assert.not(matchesFilters(log, { ...NONE, path: '/v1/refunds' }))
})

test('adds live requests that match before the list, each once', () => {
  const listed = [requestWith('req_2'), requestWith('req_1')]
  const live = [
    requestWith('req_0', { created: NOW - 10 }),
    ...['req_1', 'req_2', 'req_3', 'req_4'].map((id) => requestWith(id)),
    requestWith('req_bad', { status: 500 }),
  ]
  const ids = addLive(listed, live, { ...NONE, status: '2' }).map(({ id }) => id)
  assert.equal(ids, ['req_4', 'req_3', 'req_2', 'req_1'])
})

test('adds no live request that is older than the first page of the list, even of the same second', () => {
  const listed = [requestWith('req_4'), requestWith('req_3')]
  const live = ['req_1', 'req_2', 'req_3', 'req_4'].map((id) => requestWith(id))
  assert.equal(addLive(listed, live, NONE), listed)
})

test.run()
