import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const REFUND = { id: 're_1', object: 'refund', status: 'succeeded', amount: 500, currency: 'eur' }

const test = suite('commands/timeline')

/** Returns an event of the refund. */
function event(sequence: number, type: string, previous_attributes?: object): object {
  const data = { object: REFUND, ...(previous_attributes ? { previous_attributes } : {}) }
  return { id: `evt_${sequence}`, type, sequence, created: 1704067200, data, request: { id: 'req_1' } }
}

/** Whether the API key can read deliveries. The server has no deliveries. */
let isReadable = false
const api = openFakeApi(test, ({ url }) => {
  if (url.startsWith('/v1/webhook_deliveries') && isReadable)
    return { body: { object: 'list', data: [], has_more: false } }
  if (url.startsWith('/v1/webhook_deliveries'))
    return {
      status: 403,
      body: { error: { type: 'authentication_error', code: 'insufficient_scope', message: 'No.' } },
    }
  const data = [event(2, 'refund.updated', { status: 'pending' }), event(1, 'refund.created')]
  return { body: url.startsWith('/v1/events') ? { object: 'list', data, has_more: false } : REFUND }
})

test('prints a JSON array of events, oldest first', async () => {
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

test('reports omitted delivery results on a terminal, and reads no delivery for JSON', async () => {
  const env = { PAYCLI_API_BASE: api.url(), PAYCLI_API_KEY: 'k' }
  const onTerminal = (...args: string[]) =>
    runCommand(['timeline', 're_1', ...args], env, { terminal: { columns: 120 } })
  const { code, stderr } = await onTerminal()
  assert.is(code, 0)
  assert.match(
    stderr,
    'Results of deliveries were omitted: there are too many, or the API key cannot read them.',
  )
  const before = api.requests().length
  const { stdout } = await api.run('timeline', 're_1')
  const asJson = await onTerminal('--json')
  assert.equal([asJson.stdout, asJson.stderr], [stdout, ''])
  assert.not.ok(
    api
      .requests()
      .slice(before)
      .some((request) => request.includes('webhook_deliveries')),
  )
})

test('reports no omitted delivery results on a server without deliveries', async () => {
  const env = { PAYCLI_API_BASE: api.url(), PAYCLI_API_KEY: 'k' }
  isReadable = true
  const { stderr } = await runCommand(['timeline', 're_1'], env, { terminal: { columns: 120 } })
  isReadable = false
  assert.is(stderr, '')
})

api.testUsageErrors([
  [
    'timeline we_1',
    /'we_1' is not the id of an object that has a timeline\.\nHint: {2}Give the id of a customer/,
  ],
])

test.run()
