import { api } from '../../../src/api/api.ts'
import { syncForwardEndpoints } from '../../../src/daemon/streams/forward-endpoints.ts'
import { enableListenerEndpoints } from '../../../src/daemon/streams/listener-endpoints.ts'
import type { WebhookEndpoint } from '../../../src/domain/events/webhook-endpoints.ts'
import { createTargetGuard } from '../../../src/webhooks/ssrf-guard.ts'
import { newCustomer } from '../../support/samples.ts'
import { catchDomainError, createSandbox, type Sandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const [ONE, TWO, THREE] = ['http://127.0.0.1:3001/', 'http://127.0.0.1:3002/', 'http://127.0.0.1:3003/']
const [SECRET, NEW_SECRET] = ['whsec_b25l', 'whsec_dHdv']

const test = suite<{ sandbox: Sandbox }>('daemon/streams/forward-endpoints')

test.before.each((context) => {
  context.sandbox = createSandbox()
})

const all = (urls: readonly string[]) => urls.map((url) => ({ url, events: ['*'] }))

/** Returns all endpoints, oldest first. */
async function endpoints({ store }: Sandbox): Promise<readonly WebhookEndpoint[]> {
  return (await store.list('webhook_endpoints', { limit: 100 })).data.toReversed()
}

const urls = async (sandbox: Sandbox) => (await endpoints(sandbox)).map(({ url }) => url)

async function pending({ store }: Sandbox): Promise<readonly string[]> {
  const { data } = await store.list('webhook_deliveries', { where: { status: 'pending' }, limit: 100 })
  return data.map(({ url }) => url).sort()
}

test('creates a webhook endpoint for each target', async ({ sandbox }) => {
  await syncForwardEndpoints(sandbox.runtime, all([ONE, TWO]), SECRET)
  const made = await endpoints(sandbox)
  assert.equal(
    made.map(({ url, status, enabled_events, description }) => ({
      url,
      status,
      enabled_events,
      description,
    })),
    [ONE, TWO].map((url) => ({
      url,
      status: 'enabled',
      enabled_events: ['*'],
      description: 'paycli serve --forward-to',
    })),
  )
  for (const { id } of made) assert.is((await sandbox.store.get('webhook_secrets', id))?.secret, SECRET)
  assert.equal(await sandbox.events(), [])
})

test('keeps the endpoint that an earlier run created for a target, and adds endpoints for new targets', async ({
  sandbox,
}) => {
  await syncForwardEndpoints(sandbox.runtime, all([ONE]), SECRET)
  const [first] = await endpoints(sandbox)
  await syncForwardEndpoints(sandbox.runtime, all([TWO, ONE]), SECRET)
  const now = await endpoints(sandbox)
  assert.equal(now[0], first)
  assert.equal(await urls(sandbox), [ONE, TWO])
})

test('creates only one endpoint for a repeated target', async ({ sandbox }) => {
  await syncForwardEndpoints(sandbox.runtime, all([ONE, TWO, ONE]), SECRET)
  assert.equal(await urls(sandbox), [ONE, TWO])
})

test('gives the endpoint of a repeated target the event types of all its occurrences', async ({
  sandbox,
}) => {
  const eventsOf = (events: readonly string[]) => ({ url: ONE, events })
  const repeated = [eventsOf(['invoice.paid', 'customer.*']), eventsOf(['invoice.paid', 'refund.created'])]
  const [created, ...others] = await enableListenerEndpoints(sandbox.runtime, repeated, SECRET)
  assert.equal(others, [])
  assert.equal(created?.enabled_events, ['invoice.paid', 'customer.*', 'refund.created'])
})

test('deletes an endpoint whose target was removed, with its secret and pending deliveries', async ({
  sandbox,
}) => {
  await syncForwardEndpoints(sandbox.runtime, all([ONE, TWO]), SECRET)
  const [gone] = await endpoints(sandbox)
  await newCustomer(sandbox)
  assert.equal(await pending(sandbox), [ONE, TWO])
  await syncForwardEndpoints(sandbox.runtime, all([TWO, THREE]), SECRET)
  assert.equal(await urls(sandbox), [TWO, THREE])
  assert.equal(await pending(sandbox), [TWO])
  assert.is(await sandbox.store.get('webhook_secrets', gone?.id ?? ''), null)
})

test('deletes all forwarding endpoints when no targets remain', async ({ sandbox }) => {
  await syncForwardEndpoints(sandbox.runtime, all([ONE, TWO]), SECRET)
  await syncForwardEndpoints(sandbox.runtime, all([]), SECRET)
  assert.equal(await urls(sandbox), [])
})

test('sets the event types of each endpoint to those of its target', async ({ sandbox }) => {
  const targets = (events: readonly string[]) => [
    { url: ONE, events },
    { url: TWO, events: ['*'] },
  ]
  await syncForwardEndpoints(sandbox.runtime, targets(['invoice.paid', 'refund.created']), SECRET)
  const wanted = async () => (await endpoints(sandbox)).map(({ enabled_events }) => enabled_events)
  assert.equal(await wanted(), [['invoice.paid', 'refund.created'], ['*']])
  await syncForwardEndpoints(sandbox.runtime, targets(['customer.created']), SECRET)
  assert.equal(await wanted(), [['customer.created'], ['*']])
})

test('throws for a target with a forbidden address and creates no endpoint', async () => {
  const strict = createTargetGuard({ isPublicOnly: true, allowed: [], ownPorts: [] })
  const sandbox = createSandbox({ requireAllowedUrl: strict.requireAllowed })
  const { code } = await catchDomainError(
    syncForwardEndpoints(sandbox.runtime, all(['https://example.com/', ONE]), SECRET),
  )
  assert.is(code, 'webhook_target_blocked')
  assert.equal(await urls(sandbox), [])
})

test('enables the disabled endpoint of a target', async ({ sandbox }) => {
  await syncForwardEndpoints(sandbox.runtime, all([ONE]), SECRET)
  const [endpoint] = await endpoints(sandbox)
  await sandbox.call(api.webhookEndpoints.update, { id: endpoint?.id ?? '', status: 'disabled' })
  await syncForwardEndpoints(sandbox.runtime, all([ONE]), SECRET)
  assert.equal(await endpoints(sandbox), [endpoint])
})

test('replaces the secret of an existing endpoint', async ({ sandbox }) => {
  await syncForwardEndpoints(sandbox.runtime, all([ONE]), SECRET)
  await syncForwardEndpoints(sandbox.runtime, all([ONE]), NEW_SECRET)
  const [endpoint] = await endpoints(sandbox)
  assert.is((await sandbox.store.get('webhook_secrets', endpoint?.id ?? ''))?.secret, NEW_SECRET)
})

test('does not change endpoints created by the API', async ({ sandbox }) => {
  const made = await sandbox.call(api.webhookEndpoints.create, { url: ONE, description: 'mine' })
  await syncForwardEndpoints(sandbox.runtime, all([ONE, TWO]), SECRET)
  assert.equal(await urls(sandbox), [ONE, ONE, TWO])
  await syncForwardEndpoints(sandbox.runtime, all([]), SECRET)
  assert.equal(
    (await endpoints(sandbox)).map(({ id }) => id),
    [made.id],
  )
})

test('throws when the targets exceed the endpoint limit, and creates no endpoint', async ({ sandbox }) => {
  const many = Array.from({ length: 101 }, (_, port) => `http://127.0.0.1:${3000 + port}/`)
  assert.is(
    (await catchDomainError(syncForwardEndpoints(sandbox.runtime, all(many), SECRET))).code,
    'webhook_endpoint_limit',
  )
  assert.equal(await urls(sandbox), [])
})

test('deletes endpoints of removed targets before it applies the endpoint limit', async ({ sandbox }) => {
  const many = (start: number) =>
    Array.from({ length: 100 }, (_, port) => `http://127.0.0.1:${start + port}/`)
  await syncForwardEndpoints(sandbox.runtime, all(many(3000)), SECRET)
  await syncForwardEndpoints(sandbox.runtime, all(many(4000)), SECRET)
  assert.equal(await urls(sandbox), many(4000))
})

test.run()
