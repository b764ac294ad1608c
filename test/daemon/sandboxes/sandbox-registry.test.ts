import { streamRoutes } from '../../../src/api/operations/streams.ts'
import { createSeededIdGenerators } from '../../../src/daemon/reproducible.ts'
import { RunningRequestCounter } from '../../../src/daemon/sandboxes/running-request-counter.ts'
import { waitForNextTurn } from '../../../src/daemon/system/task-scheduling.ts'
import { errorIn, sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { readRoute } from '../streams/stream-reader.ts'
import { KEY, type ServedSandboxes, serveSandboxes } from './serve-sandboxes.ts'

const test = suite<{ served: ServedSandboxes }>('daemon/sandbox-registry')

const PERSON = { email: 'ada@example.com' }

test.before.each(async (context) => {
  context.served = await serveSandboxes()
})

test.after.each(async ({ served }) => {
  await served.close()
})

test('opens a sandbox once for concurrent first requests', async ({ served }) => {
  const { sandbox, key } = await served.create()
  assert.is(served.registry.opened(sandbox.id), undefined)
  const [first, second] = await Promise.all([
    served.registry.find(sandbox.id),
    served.registry.find(sandbox.id),
  ])
  assert.is(first, second)
  assert.is((await served.get(key, '/v1/customers')).status, 200)
  assert.is(served.registry.opened(sandbox.id), first)
})

test('keeps the random generators and the summary of a closed sandbox until its deletion', async () => {
  const variants: string[] = []
  const newIds = (variant: string) => {
    variants.push(variant)
    return createSeededIdGenerators('seed')
  }
  const served = await serveSandboxes({ newIds })
  const { registry, manager } = served
  const { sandbox, key } = await served.create()
  const nextId = async () => JSON.parse((await served.post(key, '/v1/customers', PERSON)).text).id
  const first = await nextId()
  await Promise.all([registry.sleep(sandbox.id), registry.sleep(sandbox.id)])
  assert.is(registry.summaryOf(sandbox.id)?.counts.objects, 1)
  assert.is.not(await nextId(), first)
  assert.equal([registry.summaryOf(sandbox.id), variants], [undefined, ['']])
  await registry.sleep(sandbox.id)
  await manager.remove(sandbox)
  assert.equal([registry.summaryOf(sandbox.id), registry.opened(sandbox.id)], [undefined, undefined])
  await served.close()
})

test('ends a stream that began while the sandbox was being closed', async ({ served }) => {
  const { registry, apiUrl: api_url } = served
  const { sandbox, key: api_key } = await served.create()
  const { requests, streams: open } = await registry.find(sandbox.id)
  const closing = new Promise<void>((resolve) => {
    requests.enter = () => {
      RunningRequestCounter.prototype.enter.call(requests)
      resolve(registry.sleep(sandbox.id))
    }
  })
  const reading = await readRoute({ location: { api_url, api_key } }, { route: streamRoutes.events })
  await closing
  assert.is(open.hub.hasReaders(), false)
  await reading.waitFor('close', 1)
})

test('a reset waits for a request that opens the sandbox at the same time', async ({ served }) => {
  const { sandbox } = await served.create()
  const { registry, manager } = served
  async function request(): Promise<boolean> {
    const { requests, jobs, runtime } = await registry.find(sandbox.id)
    requests.enter()
    try {
      await runtime.store.list('customers', { limit: 1 })
      await waitForNextTurn()
      return jobs.isStopped()
    } finally {
      requests.leave()
    }
  }
  const [isStopped] = await Promise.all([request(), manager.reset(sandbox, 'empty')])
  assert.is(isStopped, false)
})

test('rejects a key whose prefix names an unknown sandbox or the wrong sandbox', async ({ served }) => {
  const [one, two] = [await served.create(), await served.create()]
  const random = one.key.slice(-32)
  const unknown = `paysk_test_${'0'.repeat(24)}_${random}`
  const foreign = `paysk_test_${two.sandbox.id.slice('sbx_'.length)}_${random}`
  for (const key of [unknown, foreign]) {
    const response = await served.get(key, '/v1/customers')
    assert.equal([response.status, errorIn(response)['code']], [401, 'api_key_invalid'])
  }
})

test('rejects the keys of an expired sandbox', async ({ served }) => {
  const { key } = await served.create({ expires_at: served.clock.now() + 60 })
  assert.is((await served.get(key, '/v1/customers')).status, 200)
  // No background job runs here, so the sandbox stays open.
  served.clock.move(60)
  const response = await served.get(key, '/v1/customers')
  assert.equal([response.status, errorIn(response)['code']], [401, 'sandbox_expired'])
})

test('counts no records of a sandbox that is deleted or expires after it was listed', async ({ served }) => {
  const deleted = await served.create()
  const expired = await served.create({ expires_at: served.clock.now() + 60 })
  const { manager, clock, apiUrl } = served
  for (const { sandbox, key } of [deleted, expired]) {
    await served.post(key, '/v1/customers', { email: 'a@example.com' })
    assert.equal(await manager.countsOf(sandbox), { objects: 1, events: 1 })
  }
  const headers = { Authorization: `Bearer ${KEY}` }
  await sendRequest(`${apiUrl}/v1/sandboxes/${deleted.sandbox.id}`, { method: 'DELETE', headers })
  clock.move(60)
  await manager.remove(expired.sandbox)
  for (const { sandbox } of [deleted, expired]) {
    assert.equal(await manager.countsOf(sandbox), { objects: 0, events: 0 })
  }
})

test('stores the log of a request in the sandbox of its key, or without a valid key in the default sandbox', async ({
  served,
}) => {
  const { sandbox, key } = await served.create()
  await served.post(key, '/v1/customers', { email: 'a@example.com' })
  await served.get(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, '/v1/customers')
  const statuses = async (logKey: string) =>
    JSON.parse((await served.get(logKey, '/v1/request_logs')).text).data.map(
      ({ status }: { status: number }) => status,
    )
  assert.equal(await statuses(key), [200])
  assert.equal(await statuses(KEY), [401])
  const store = served.registry.opened(sandbox.id)?.runtime.store
  assert.is((await store?.listOldest('request_logs', 9))?.length, 1)
})

test.run()
