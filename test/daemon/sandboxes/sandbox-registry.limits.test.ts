import { createSandboxDeadlineWatch } from '../../../src/daemon/sandboxes/sandbox-deadlines.ts'
import { startSandboxRounds } from '../../../src/daemon/sandboxes/sandbox-rounds.ts'
import { MEGABYTE } from '../../../src/domain/sandboxes/sandbox-quotas.ts'
import { newFolder } from '../../support/folders.ts'
import { errorIn, type HttpResponse, sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { KEY, type ServedSandboxes, serveSandboxes } from './serve-sandboxes.ts'

const test = suite('daemon/sandboxes/sandbox-registry.limits')

const served: ServedSandboxes[] = []

test.after.each(async () => {
  for (const one of served.splice(0)) await one.close()
})

async function serve(options: Parameters<typeof serveSandboxes>[0]): Promise<ServedSandboxes> {
  const one = await serveSandboxes(options)
  served.push(one)
  return one
}

const PERSON = { email: 'ada@example.com' }
const outcomeOf = (response: HttpResponse) => [response.status, errorIn(response)['code']]
const bodyOf = ({ text }: HttpResponse) => JSON.parse(text)
const remove = ({ apiUrl }: ServedSandboxes, key: string, path: string) =>
  sendRequest(`${apiUrl}${path}`, { method: 'DELETE', headers: { Authorization: `Bearer ${key}` } })
const FULL = [429, 'sandbox_quota_exceeded']

/** Creates customers until a request is rejected; returns the response and the last customer. */
async function fill(server: ServedSandboxes, key: string, fields: object = PERSON) {
  for (let count = 0, last = ''; ; count += 1) {
    const response = await server.post(key, '/v1/customers', fields)
    if (response.status !== 200) return { response, count, last }
    last = bodyOf(response).id
  }
}

test('a sandbox with the maximum number of objects rejects new objects, but allows reads, deletions and resets', async () => {
  const server = await serve({ limits: { quotas: { objects: 30 } } })
  const [{ key, sandbox }, other] = [await server.create(), await server.create()]
  const { response, count, last } = await fill(server, key)
  assert.equal(outcomeOf(response), FULL)
  assert.match(response.text, '--max-sandbox-objects')
  assert.ok(count > 10 && count < 30)
  assert.is((await server.get(key, `/v1/customers/${last}`)).status, 200)
  assert.is((await remove(server, key, `/v1/customers/${last}`)).status, 200)
  assert.is((await server.post(key, '/v1/sandboxes/current/reset', { to: 'empty' })).status, 200)
  assert.is((await server.post(key, '/v1/customers', PERSON)).status, 200)
  for (const free of [other.key, KEY])
    assert.is((await server.post(free, '/v1/customers', PERSON)).status, 200)
  assert.is((await remove(server, KEY, `/v1/sandboxes/${sandbox.id}`)).status, 200)
})

test('a sandbox with the maximum number of bytes rejects new objects', async () => {
  const server = await serve({ limits: { quotas: { bytes: 100_000 } } })
  const { key } = await server.create()
  const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, 'x'.repeat(500)]))
  const { response, count } = await fill(server, key, { ...PERSON, metadata })
  assert.equal(outcomeOf(response), FULL)
  assert.match(response.text, '--max-sandbox-mb')
  // Each customer is stored twice: as an object and in its event.
  assert.ok(count >= 4 && count <= 6, `${count} customers`)
})

test('a sandbox with the maximum number of API keys accepts a new key after another key was revoked', async () => {
  const server = await serve({ limits: { quotas: { keys: 3 } } })
  const { key } = await server.create()
  const create = () => server.post(key, '/v1/api_keys', { name: 'ci' })
  const created = bodyOf(await create())
  await create()
  assert.equal(outcomeOf(await create()), FULL)
  assert.equal(
    outcomeOf(await server.post(key, `/v1/api_keys/${created.id}/roll`, { grace_seconds: 60 })),
    FULL,
  )
  assert.is((await server.post(key, `/v1/api_keys/${created.id}/roll`, {})).status, 200)
  const { data } = bodyOf(await server.get(key, '/v1/api_keys?status=active'))
  const spare = data.find(({ name }: { name: string | null }) => name === 'ci')
  assert.is((await remove(server, key, `/v1/api_keys/${spare.id}`)).status, 200)
  assert.is((await create()).status, 200)
})

test('a sandbox with the maximum number of webhook endpoints rejects a new endpoint', async () => {
  const server = await serve({ limits: { quotas: { endpoints: 2 } } })
  const { key } = await server.create()
  const create = () => server.post(key, '/v1/webhook_endpoints', { url: 'https://example.com/hook' })
  assert.is((await create()).status, 200)
  const { id } = bodyOf(await create())
  assert.equal(outcomeOf(await create()), FULL)
  await remove(server, key, `/v1/webhook_endpoints/${id}`)
  assert.is((await create()).status, 200)
})

test('a rejected copy that exceeds the quotas leaves no record and no contents', async () => {
  const server = await serve({ limits: { quotas: { objects: 20 } } })
  for (let count = 0; count < 12; count += 1) await server.post(KEY, '/v1/customers', PERSON)
  const before = await server.database.listSandboxes()
  assert.equal(outcomeOf(await server.post(KEY, '/v1/sandboxes', { from: 'default' })), FULL)
  assert.equal(await server.database.listSandboxes(), before)
})

test('a server whose heap is nearly full rejects writes in all sandboxes, but allows reads and deletions', async () => {
  const heap = { used: 0, limit: 100 * MEGABYTE }
  const server = await serve({ limits: { readHeap: () => heap } })
  const { key } = await server.create()
  const { id } = bodyOf(await server.post(key, '/v1/customers', PERSON))
  heap.used = 90 * MEGABYTE
  server.registry.memory.sample()
  for (const each of [key, KEY])
    assert.equal(outcomeOf(await server.post(each, '/v1/customers', PERSON)), [507, 'server_full'])
  assert.equal(outcomeOf(await server.post(KEY, '/v1/sandboxes', {})), [507, 'server_full'])
  assert.is((await server.get(key, '/v1/customers')).status, 200)
  assert.is((await remove(server, key, `/v1/customers/${id}`)).status, 200)
  heap.used = 0
  server.registry.memory.sample()
  assert.is((await server.post(key, '/v1/customers', PERSON)).status, 200)
})

test('closes the durable sandbox with the longest idle time when another sandbox needs its slot', async () => {
  const server = await serve({ db: `${newFolder()}/db.json`, limits: { maxOpen: 2 } })
  const all = [await create(server), await create(server), await create(server)]
  const opened = () => all.filter(({ sandbox }) => server.registry.opened(sandbox.id) !== undefined).length
  for (const { key } of all) await server.post(key, '/v1/customers', PERSON)
  for (const { sandbox } of all) await server.registry.opened(sandbox.id)?.jobs.tick()
  for (const { key } of all) {
    assert.is(bodyOf(await server.get(key, '/v1/customers')).data.length, 1)
    assert.ok(opened() <= 2)
  }
})

test('returns 503 while the maximum number of open durable sandboxes is in use', async () => {
  const server = await serve({ db: `${newFolder()}/db.json`, limits: { maxOpen: 1 } })
  const [one, two] = [await create(server), await create(server)]
  const { requests, jobs } = await server.registry.find(one.sandbox.id)
  await jobs.tick()
  requests.enter()
  assert.equal(outcomeOf(await server.get(two.key, '/v1/customers')), [503, 'sandboxes_busy'])
  requests.leave()
  assert.is((await server.get(two.key, '/v1/customers')).status, 200)
})

test('does not open a sandbox whose files exceed the free memory, but can delete that sandbox', async () => {
  const heap = { used: 0, limit: 1000 * MEGABYTE }
  const server = await serve({ db: `${newFolder()}/db.json`, limits: { readHeap: () => heap } })
  const { key, sandbox } = await create(server)
  await server.post(key, '/v1/customers', PERSON)
  await server.registry.sleep(sandbox.id)
  heap.limit = 45 * MEGABYTE
  heap.used = 45 * MEGABYTE
  assert.equal(outcomeOf(await server.get(key, '/v1/customers')), [507, 'server_full'])
  assert.is((await server.get(KEY, '/v1/sandboxes')).status, 200)
  assert.is((await remove(server, KEY, `/v1/sandboxes/${sandbox.id}`)).status, 200)
})

test('the start after a stop reads the summaries of the sandboxes instead of opening them', async () => {
  const db = `${newFolder()}/db.json`
  const first = await serveSandboxes({ db })
  const created = await create(first)
  await first.post(created.key, '/v1/customers', PERSON)
  await first.close()
  const server = await serve({ db })
  await look(server)
  assert.is(server.registry.opened(created.sandbox.id), undefined)
  assert.is(server.registry.summaryOf(created.sandbox.id)?.counts.objects, 1)
})

test('the start after a crash opens each sandbox once, and closes idle sandboxes again', async () => {
  const db = `${newFolder()}/db.json`
  const first = await serveSandboxes({ db })
  const created = await create(first)
  await first.post(created.key, '/v1/customers', PERSON)
  const opened = first.registry.opened(created.sandbox.id)
  await opened?.jobs.stop()
  // Close the store as a crash would, without a summary.
  await opened?.runtime.store.close()
  await first.close().catch(() => {})
  const server = await serve({ db })
  await look(server)
  assert.is(server.registry.opened(created.sandbox.id), undefined)
  assert.is(server.registry.summaryOf(created.sandbox.id)?.counts.objects, 1)
})

test('retries after a minute to open a sandbox that has a due job but cannot be opened', async () => {
  const server = await serve({ db: `${newFolder()}/db.json` })
  const { sandbox } = await create(server)
  await server.registry.find(sandbox.id)
  await server.registry.sleep(sandbox.id)
  Object.assign(server.registry.summaryOf(sandbox.id) ?? {}, { wakesAt: server.clock.now() - 1 })
  const errors: unknown[] = []
  server.registry.findActive = async () => Promise.reject(new Error('no memory'))
  const onError = (error: unknown) => errors.push(error)
  const rounds = startSandboxRounds(server.registry, server.clock, { monotonicMs: () => 0, onError })
  rounds.startDue()
  await rounds.stop()
  assert.is(errors.length, 1)
  assert.is(server.registry.summaryOf(sandbox.id)?.wakesAt, server.clock.now() + 60)
})

const create = (server: ServedSandboxes) => server.create({ storage: 'durable' })

const look = ({ registry }: ServedSandboxes) =>
  createSandboxDeadlineWatch(registry, {
    monotonicMs: () => 0,
    onError: (error) => assert.unreachable(String(error)),
  }).look()

test.run()
