import { api } from '../../src/api/api.ts'
import { digestApiKey } from '../../src/api/core/auth.ts'
import { LISTENER_DESCRIPTION } from '../../src/domain/events/webhook-endpoints.ts'
import { runDueJobs } from '../../src/engine/real-time-jobs.ts'
import {
  addKeptRecords,
  buildCopyContents,
  countContentsRecords,
  countStoreRecords,
  EMPTY_CONTENTS,
  findFingerprintSalt,
} from '../../src/engine/sandbox-copies.ts'
import { ensureInternalSandboxSecrets, registerApiKey } from '../../src/engine/sandbox-credentials.ts'
import { COLLECTION_NAMES } from '../../src/store/port/collections.ts'
import { createSandbox, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/sandbox-copies')

const TARGET = {
  checkoutUrl: 'https://pay.example.com/sbx_copy',
  yieldToEventLoop: async () => {},
  newWebhookSecret: () => 'whsec_copy',
}

const KEY = { secret: 'paysk_test_Copied', digest: digestApiKey('paysk_test_Copied') }

/** Creates a sandbox with a key, an endpoint, the endpoint of a listener, and a customer whose event waits for both. */
async function createSource(): Promise<Sandbox> {
  const sandbox = createSandbox()
  await ensureInternalSandboxSecrets(sandbox.store, () => 'token', 'whsec_own')
  await registerApiKey(sandbox.runtime, KEY)
  const endpoint = { url: 'https://example.com/hook', enabled_events: ['*' as const] }
  await sandbox.call(api.webhookEndpoints.create, endpoint)
  await sandbox.call(api.webhookEndpoints.create, { ...endpoint, description: LISTENER_DESCRIPTION })
  await sandbox.call(api.customers.create, { email: 'ada@example.com' })
  await runDueJobs(sandbox.runtime)
  return sandbox
}

test('a copy contains objects, events and endpoints, but no credentials, listeners or pending deliveries', async () => {
  const { store } = await createSource()
  const source = await store.capture()
  assert.equal(source.records.webhook_deliveries.length, 2)
  const copy = await buildCopyContents(source, TARGET)
  const sizes = COLLECTION_NAMES.map((name) => [name, copy.records[name].length] as const)
  assert.equal(Object.fromEntries(sizes.filter(([, size]) => size > 0)), {
    customers: 1,
    events: 1,
    webhook_endpoints: 1,
    webhook_secrets: 1,
  })
  assert.is(copy.sequence, source.sequence)
  assert.is(copy.records.customers[0], source.records.customers[0])
  assert.equal([source.records.events[0]?.pending_webhooks, copy.records.events[0]?.pending_webhooks], [2, 0])
})

test('endpoints of a copy are disabled and have new secrets', async () => {
  const sandbox = await createSource()
  const { id, ...endpoint } = await sandbox.call(api.webhookEndpoints.create, {
    url: 'https://example.com/off',
  })
  await sandbox.call(api.webhookEndpoints.update, { id, status: 'disabled' })
  await sandbox.call(api.webhookEndpoints.rollSecret, { id })
  const { records } = await buildCopyContents(await sandbox.store.capture(), TARGET)
  assert.equal(
    records.webhook_endpoints.map(({ url, status, disabled_reason }) => [url, status, disabled_reason]),
    [
      ['https://example.com/hook', 'disabled', 'copied'],
      [endpoint.url, 'disabled', 'api'],
    ],
  )
  assert.equal(
    records.webhook_secrets,
    records.webhook_endpoints.map((one) => ({ id: one.id, object: 'webhook_secret', secret: 'whsec_copy' })),
  )
})

test('a reset keeps the API keys and secrets of the sandbox', async () => {
  const { store } = await createSource()
  const current = await store.capture()
  const { records, sequence } = addKeptRecords(EMPTY_CONTENTS, current.records)
  assert.is(sequence, 0)
  assert.equal(records.customers, [])
  assert.equal(records.api_keys, current.records.api_keys)
  assert.equal(records.api_key_digests, current.records.api_key_digests)
  assert.equal(records.sandbox_secrets, current.records.sandbox_secrets)
})

test('countContentsRecords and countStoreRecords return equal counts of events, and of objects without events and API keys', async () => {
  const { store } = await createSource()
  const counts = { objects: 5, events: 1 }
  assert.equal(countContentsRecords(await store.capture()), counts)
  assert.equal(await countStoreRecords(store), counts)
})

test('findFingerprintSalt returns the salt of the contents, or null for empty contents', async () => {
  const { store } = await createSource()
  assert.is(findFingerprintSalt(await store.capture()), 'token')
  assert.is(findFingerprintSalt(EMPTY_CONTENTS), null)
})

test.run()
