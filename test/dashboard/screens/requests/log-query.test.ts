import { toLogQuery } from '../../../../src/dashboard/screens/requests/log-query.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('dashboard/screens/requests/log-query')

const NONE = { method: '', path: '', status: '' }
/** Parameters without a value are not sent. */
const NONE_SENT = { method: '', path: '' }

test('sends filters as parameters of the list', () => {
  assert.equal(toLogQuery(NONE), NONE_SENT)
  assert.equal(toLogQuery({ method: 'POST', path: 'payments', status: '4' }), {
    ...{ method: 'POST', path: '*payments*', 'status[gte]': 400, 'status[lt]': 500 },
  })
  assert.equal(toLogQuery({ ...NONE, status: 'error', path: '!/v1/events*' }), {
    ...{ ...NONE_SENT, path: '!/v1/events*', 'status[gte]': 400 },
  })
  assert.equal(toLogQuery({ ...NONE, status: 'unknown' }), NONE_SENT)
})

test.run()
