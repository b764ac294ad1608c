import { api } from '../../src/api/index.ts'
import { forwardTo } from '../../src/daemon/forwarding.ts'
import type { WebhookEndpoint } from '../../src/domain/webhook-endpoints.ts'
import { createTargetGuard } from '../../src/webhooks/ssrf-guard.ts'
import { newCustomer } from '../support/samples.ts'
import { createSandbox, refusal, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const [ONE, TWO, THREE] = ['http://127.0.0.1:3001/', 'http://127.0.0.1:3002/', 'http://127.0.0.1:3003/']
const [SECRET, NEW_SECRET] = ['whsec_b25l', 'whsec_dHdv']

const test = suite<{ sandbox: Sandbox }>('daemon/forwarding')

test.before.each((context) => {
  context.sandbox = createSandbox()
})

const all = (urls: readonly string[]) => urls.map((url) => ({ url, events: ['*'] }))

/** All endpoints, oldest first. */
async function endpoints({ store }: Sandbox): Promise<readonly WebhookEndpoint[]> {
  return (await store.list('webhook_endpoints', { limit: 100 })).data.toReversed()
}

const urls = async (sandbox: Sandbox) => (await endpoints(sandbox)).map(({ url }) => url)

async function pending({ store }: Sandbox): Promise<readonly string[]> {
  const { data } = await store.list('webhook_deliveries', { where: { status: 'pending' }, limit: 100 })
  return data.map(({ url }) => url).sort()
}

test('each target becomes an endpoint for all events', async ({ sandbox }) => {
  await forwardTo(sandbox.runtime, all([ONE, TWO]), SECRET)
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

test('a target of an earlier run is kept with its id, and a new one joins it', async ({ sandbox }) => {
  await forwardTo(sandbox.runtime, all([ONE]), SECRET)
  const [first] = await endpoints(sandbox)
  await forwardTo(sandbox.runtime, all([TWO, ONE]), SECRET)
  const now = await endpoints(sandbox)
  assert.equal(now[0], first)
  assert.equal(await urls(sandbox), [ONE, TWO])
})

test('a target that is named twice is told once', async ({ sandbox }) => {
  await forwardTo(sandbox.runtime, all([ONE, TWO, ONE]), SECRET)
  assert.equal(await urls(sandbox), [ONE, TWO])
})

test('a target that is not named any more goes, with its secret and what waits for it', async ({
  sandbox,
}) => {
  await forwardTo(sandbox.runtime, all([ONE, TWO]), SECRET)
  const [gone] = await endpoints(sandbox)
  await newCustomer(sandbox)
  assert.equal(await pending(sandbox), [ONE, TWO])
  await forwardTo(sandbox.runtime, all([TWO, THREE]), SECRET)
  assert.equal(await urls(sandbox), [TWO, THREE])
  assert.equal(await pending(sandbox), [TWO])
  assert.is(await sandbox.store.get('webhook_secrets', gone?.id ?? ''), null)
})

test('without targets all of them go', async ({ sandbox }) => {
  await forwardTo(sandbox.runtime, all([ONE, TWO]), SECRET)
  await forwardTo(sandbox.runtime, all([]), SECRET)
  assert.equal(await urls(sandbox), [])
})

test('each target gets its own events, and those of this run', async ({ sandbox }) => {
  const targets = (events: readonly string[]) => [
    { url: ONE, events },
    { url: TWO, events: ['*'] },
  ]
  await forwardTo(sandbox.runtime, targets(['invoice.paid', 'refund.created']), SECRET)
  const wanted = async () => (await endpoints(sandbox)).map(({ enabled_events }) => enabled_events)
  assert.equal(await wanted(), [['invoice.paid', 'refund.created'], ['*']])
  await forwardTo(sandbox.runtime, targets(['customer.created']), SECRET)
  assert.equal(await wanted(), [['customer.created'], ['*']])
})

test('an address that is not allowed is refused, and none is made', async () => {
  const strict = createTargetGuard({ isPublicOnly: true, allowed: [], ownPorts: [] })
  const sandbox = createSandbox({ requireTarget: strict.require })
  const { code } = await refusal(forwardTo(sandbox.runtime, all(['https://example.com/', ONE]), SECRET))
  assert.is(code, 'webhook_target_blocked')
  assert.equal(await urls(sandbox), [])
})

test('a target that was switched off, or said it is gone, is on again', async ({ sandbox }) => {
  await forwardTo(sandbox.runtime, all([ONE]), SECRET)
  const [endpoint] = await endpoints(sandbox)
  await sandbox.call(api.webhookEndpoints.update, { id: endpoint?.id ?? '', status: 'disabled' })
  await forwardTo(sandbox.runtime, all([ONE]), SECRET)
  assert.equal(await endpoints(sandbox), [endpoint])
})

test('a target is signed to with the secret of this run', async ({ sandbox }) => {
  await forwardTo(sandbox.runtime, all([ONE]), SECRET)
  await forwardTo(sandbox.runtime, all([ONE]), NEW_SECRET)
  const [endpoint] = await endpoints(sandbox)
  assert.is((await sandbox.store.get('webhook_secrets', endpoint?.id ?? ''))?.secret, NEW_SECRET)
})

test('endpoints that were made over the API are left alone', async ({ sandbox }) => {
  const made = await sandbox.call(api.webhookEndpoints.create, { url: ONE, description: 'mine' })
  await forwardTo(sandbox.runtime, all([ONE, TWO]), SECRET)
  assert.equal(await urls(sandbox), [ONE, ONE, TWO])
  await forwardTo(sandbox.runtime, all([]), SECRET)
  assert.equal(
    (await endpoints(sandbox)).map(({ id }) => id),
    [made.id],
  )
})

test('more targets than there may be endpoints are refused, and none is made', async ({ sandbox }) => {
  const many = Array.from({ length: 101 }, (_, port) => `http://127.0.0.1:${3000 + port}/`)
  assert.is((await refusal(forwardTo(sandbox.runtime, all(many), SECRET))).code, 'webhook_endpoint_limit')
  assert.equal(await urls(sandbox), [])
})

test('old targets make room for new ones', async ({ sandbox }) => {
  const many = (start: number) =>
    Array.from({ length: 100 }, (_, port) => `http://127.0.0.1:${start + port}/`)
  await forwardTo(sandbox.runtime, all(many(3000)), SECRET)
  await forwardTo(sandbox.runtime, all(many(4000)), SECRET)
  assert.equal(await urls(sandbox), many(4000))
})

test.run()
