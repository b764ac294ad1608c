import { requestLogs } from '../../../src/api/operations/request-logs.ts'
import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { signIn } from '../../support/dashboard.ts'
import { assert, suite } from '../../support/suite.ts'
import { SCENES, send, sendChange } from './dashboard-requests.ts'

const test = suite('daemon/dashboard/dashboard.log')
let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon({ createScenes: () => SCENES })
})
test.after(() => daemon?.stop())

test('the server log contains only failed requests of the dashboard, and the request log only its changes', async () => {
  const { headers } = await signIn(daemon)
  const before = daemon.log.length
  await send(daemon, '/dashboard/default/v1/customers', headers)
  assert.is(daemon.log.length, before)
  await send(daemon, '/dashboard/default/v1/customers?limit=x', headers)
  assert.is(daemon.log.length, before + 1)
  const { text } = await send(daemon, '/dashboard/default/v1/request_logs', headers)
  assert.not.match(text, '/dashboard')
})

test('a repeated change of the dashboard is executed once, and the request log contains both requests', async () => {
  const { headers } = await signIn(daemon)
  const { id } = await daemon.call(webhookEndpoints.create, {
    url: 'http://127.0.0.1:9/hook',
    enabled_events: ['*'],
  })
  const path = `/v1/webhook_endpoints/${id}`
  const keyed = { ...headers, 'Idempotency-Key': 'dialog 1' }
  const disable = () => sendChange(daemon, `/dashboard/default${path}`, keyed, { status: 'disabled' })
  const first = await disable()
  await daemon.call(webhookEndpoints.update, { id, status: 'enabled' })
  const second = await disable()
  assert.is(second.headers['original-request'], first.headers['request-id'])
  assert.is((await daemon.call(webhookEndpoints.retrieve, { id })).status, 'enabled')
  const { data } = await daemon.call(requestLogs.list, { path, method: 'POST' })
  assert.equal(
    data.map(({ id: request, replay_of }) => [request, replay_of]),
    [
      [second.headers['request-id'], first.headers['request-id']],
      [data[1]?.id, null],
      [first.headers['request-id'], null],
    ],
  )
  assert.is(new Set(data.map(({ api_key }) => api_key)).size, 1)
})

test.run()
