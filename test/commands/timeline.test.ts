import { assert, suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const REFUND = { id: 're_1', object: 'refund', status: 'succeeded', amount: 500, currency: 'eur' }

const test = suite('commands/timeline')

/** An event of the refund. */
function event(sequence: number, type: string, previous_attributes?: object): object {
  const data = { object: REFUND, ...(previous_attributes ? { previous_attributes } : {}) }
  return { id: `evt_${sequence}`, type, sequence, created: 1704067200, data, request: { id: 'req_1' } }
}

const api = openFakeApi(test, ({ url }) => {
  const data = [event(2, 'refund.updated', { status: 'pending' }), event(1, 'refund.created')]
  return { body: url.startsWith('/v1/events') ? { object: 'list', data, has_more: false } : REFUND }
})

test('prints a JSON array, oldest first', async () => {
  const { code, stdout, stderr } = await api.run('timeline', 're_1')
  assert.equal([code, stderr], [0, ''])
  const common = { time: 1704067200, object: 're_1', request: 'req_1' }
  const changes = [{ field: 'status', from: 'pending', to: 'succeeded' }]
  assert.equal(JSON.parse(stdout), [
    { ...common, type: 'refund.created', changes: [], event: 'evt_1', sequence: 1 },
    { ...common, type: 'refund.updated', changes, event: 'evt_2', sequence: 2 },
  ])
  const types = await api.run('timeline', 're_1', '--field', '[].type')
  assert.is(types.stdout, 'refund.created\nrefund.updated\n')
})

api.testUsageErrors([
  [
    'timeline we_1',
    /'we_1' is not the id of an object that has a timeline\.\nHint: {2}Give the id of a customer/,
  ],
])

test.run()
