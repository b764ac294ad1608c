import { api } from '../../../src/api/api.ts'
import { resendEvents, resendMissed, resendSelected } from '../../../src/cli/listen/resend-events.ts'
import { createErrorReport } from '../../../src/cli/output/error-report.ts'
import { getExitCode } from '../../../src/cli/output/exit-codes.ts'
import type { Client } from '../../../src/client/client.ts'
import { toConnectionError } from '../../../src/client/connection-error.ts'
import { EVENT_TYPES } from '../../../src/domain/core/event-types.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'
import { openWebhookServer, type WebhookServer } from '../../webhooks/webhook-server.ts'

const test = suite<{ daemon: TestDaemon; receivers: [WebhookServer, WebhookServer]; ids: [string, string] }>(
  'cli/resend-events',
)

test.before.each(async (context) => {
  context.daemon = await openDaemon({ retries: 'none' })
  context.receivers = [
    await openWebhookServer(),
    await openWebhookServer((_request, response) => response.writeHead(500).end()),
  ]
  const [good, bad] = context.receivers
  const endpoint = async (url: string) => (await context.daemon.call(api.webhookEndpoints.create, { url })).id
  context.ids = [await endpoint(good.url), await endpoint(bad.url)]
  const { id } = await context.daemon.call(api.customers.create, { email: 'ada@example.com' })
  await context.daemon.call(api.customers.update, { id, name: 'Ada' })
  await context.daemon.tick()
})

test.after.each(async ({ daemon, receivers }) => {
  await daemon.stop()
  for (const receiver of receivers) await receiver.close()
})

const counts = ([good, bad]: readonly WebhookServer[]) => [good?.received.length, bad?.received.length]
const ALL = { since: 0, types: [], endpoint: undefined }

test('resends events to all endpoints, or to one selected endpoint', async ({ daemon, receivers, ids }) => {
  const { data } = await daemon.call(api.events.list, {})
  const [newest] = data
  assert.is((await resendEvents(daemon.client, [newest?.id ?? ''], undefined)).resent, 2)
  await daemon.tick()
  assert.equal(counts(receivers), [3, 3])
  const all = data.map(({ id }) => id)
  assert.is((await resendEvents(daemon.client, all, ids[0])).resent, 2)
  await daemon.tick()
  assert.equal(counts(receivers), [5, 3])
})

test('reports the number of events resent before an error, and keeps the exit code of the error', async ({
  daemon,
}) => {
  const { data } = await daemon.call(api.events.list, {})
  const [first = '', second = ''] = data.map(({ id }) => id)
  const client: Client = {
    ...daemon.client,
    async call(operation, params) {
      const isLast = operation.path.endsWith('/resend') && Reflect.get(Object(params), 'id') === second
      if (isLast) throw toConnectionError('ECONNREFUSED', 'http://127.0.0.1:9')
      return daemon.client.call(operation, params)
    },
  }
  const error = await resendEvents(client, [first, second], undefined).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  const report = createErrorReport(error, { command: 'paycli events resend' })
  assert.equal([report.code, getExitCode(report)], ['connection_refused', 3])
  assert.match(report.message, `Before that 1 of 2 events was resent, the last was ${first}.`)
})

test('resends the events of the selected types, oldest first', async ({ daemon, receivers, ids }) => {
  const selection = { ...ALL, endpoint: ids[0] }
  assert.is((await resendSelected(daemon.client, selection)).resent, 2)
  await daemon.tick()
  const types = () => receivers[0].received.slice(2).map(({ body }) => JSON.parse(body).type)
  assert.equal(types(), ['customer.created', 'customer.updated'])
  await resendSelected(daemon.client, { ...selection, types: ['customer.updated'] })
  const most = EVENT_TYPES.filter((type) => type !== 'customer.created')
  await daemon.tick()
  await resendSelected(daemon.client, { ...selection, types: most })
  await daemon.tick()
  assert.equal(types().slice(2), ['customer.updated', 'customer.updated'])
})

test('resends no events when the start time is in the future', async ({ daemon }) => {
  assert.is((await resendSelected(daemon.client, { ...ALL, since: daemon.clock.now() + 1 })).resent, 0)
})

test('resends missed events only to the endpoints that missed them', async ({ daemon, receivers, ids }) => {
  const since = daemon.clock.now() - 60
  const { resent, has_more } = await resendMissed(daemon.client, { ...ALL, since })
  assert.equal([resent, has_more], [2, false])
  await daemon.tick()
  assert.equal(counts(receivers), [2, 4])
  assert.is((await resendMissed(daemon.client, { ...ALL, since, endpoint: ids[0] })).resent, 0)
  const one = await resendMissed(daemon.client, { ...ALL, since, types: ['customer.updated'] })
  assert.is(one.resent, 1)
})

test.run()
