import { DomainError } from '../../src/domain/core/domain-error.ts'
import { MAX_REQUEST_LOGS } from '../../src/domain/requests/request-logs.ts'
import { type LoggedRequest, openRequestLogWriter } from '../../src/engine/request-logs.ts'
import { createMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Store } from '../../src/store/port/store.ts'
import { createDatabaseFolder } from '../store/file/lowdb-folder.ts'
import { put } from '../store/fixture.ts'
import { SAMPLES } from '../store/samples.ts'
import { DAY, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/request-logs')

function request(id: string | number, more: Partial<LoggedRequest> = {}): LoggedRequest {
  return {
    ...{ id: `req_${id}`, created: START, method: 'GET', path: '/v1/customers', status: 200, duration_ms: 1 },
    ...{ errorBody: null, api_key: 'key_1', replay_of: null, fault: null, ...more },
  }
}

async function idsIn(store: Store): Promise<string[]> {
  return (await store.listOldest('request_logs', 1_000_000)).map(({ id }) => id)
}

test('stores recorded requests on flush, in order, with the API error', async () => {
  const store = createMemoryStore()
  const logs = await openRequestLogWriter(store, () => START)
  const error = { code: 'email_invalid', message: 'No.', param: 'email' }
  logs.record(request(1))
  logs.record(request(2, { status: 400, errorBody: JSON.stringify({ error: { ...error, type: 'x' } }) }))
  assert.equal(await idsIn(store), [])
  await logs.flush()
  assert.equal(await idsIn(store), ['req_1', 'req_2'])
  assert.equal((await store.get('request_logs', 'req_2'))?.error, error)
})

test('a flush writes nothing when no request was recorded', async () => {
  const store = createMemoryStore()
  let writes = 0
  const counting: Store = {
    ...store,
    transact: (work) => {
      writes += 1
      return store.transact(work)
    },
  }
  const logs = await openRequestLogWriter(counting, () => START)
  await logs.flush()
  logs.record(request(1))
  await Promise.all([logs.flush(), logs.flush(), logs.flush()])
  assert.is(writes, 1)
})

test('keeps the newest requests when the buffer is full', async () => {
  const store = createMemoryStore()
  const logs = await openRequestLogWriter(store, () => START)
  for (let count = 1; count <= 1203; count += 1) logs.record(request(count))
  await logs.flush()
  const ids = await idsIn(store)
  assert.equal([ids.length, ids[0], ids.at(-1)], [250, 'req_954', 'req_1203'])
  logs.record(request('next'))
  await logs.flush()
  assert.is((await idsIn(store)).at(-1), 'req_next')
})

test('keeps the newest 10,000 request logs, including those of an earlier process', async () => {
  const store = createMemoryStore()
  const old = Array.from({ length: MAX_REQUEST_LOGS.authenticated }, (_, at) => ({
    ...SAMPLES.request_logs,
    id: `req_old${at}`,
    api_key: 'key_1',
    created: START,
  }))
  await put(store, ...old)
  const logs = await openRequestLogWriter(store, () => START)
  logs.record(request(1))
  logs.record(request(2))
  await logs.flush()
  const ids = await idsIn(store)
  assert.equal([ids.length, ids[0], ids.at(-1)], [MAX_REQUEST_LOGS.authenticated, 'req_old2', 'req_2'])
})

test('keeps authenticated requests when unauthenticated requests exceed their limit', async () => {
  const store = createMemoryStore()
  const logs = await openRequestLogWriter(store, () => START)
  for (let count = 1; count <= 40; count += 1) {
    logs.record(request(`keyed${count}`))
    for (let visit = 1; visit <= 300; visit += 1)
      logs.record(request(`visit${count}_${visit}`, { api_key: null, status: 401 }))
    if (count % 2 === 0) await logs.flush()
  }
  const ids = await idsIn(store)
  assert.equal(ids.filter((id) => id.startsWith('req_keyed')).length, 40)
  assert.equal(ids.filter((id) => id.startsWith('req_visit')).length, 20 * 25)
  assert.equal(ids.slice(-27).at(0), 'req_keyed39')
  assert.equal(ids.slice(-26).at(0), 'req_keyed40')
  assert.is(ids.at(-1), 'req_visit40_300')
})

test('keeps the newest 1,000 unauthenticated requests', async () => {
  const store = createMemoryStore()
  const old = Array.from({ length: MAX_REQUEST_LOGS.unauthenticated }, (_, at) => ({
    ...SAMPLES.request_logs,
    id: `req_old${at}`,
    api_key: null,
    created: START,
  }))
  const keyed = { ...SAMPLES.request_logs, id: 'req_keyed', api_key: 'key_1', created: START }
  await put(store, keyed, ...old)
  const logs = await openRequestLogWriter(store, () => START)
  for (const id of [1, 2]) logs.record(request(id, { api_key: null }))
  await logs.flush()
  const ids = await idsIn(store)
  assert.equal(ids.slice(0, 2), ['req_keyed', 'req_old2'])
  assert.is(ids.length, 1 + MAX_REQUEST_LOGS.unauthenticated)
})

test('keeps the newest 1,000 requests of listeners, which do not replace other requests', async () => {
  const store = createMemoryStore()
  const old = Array.from({ length: MAX_REQUEST_LOGS.streaming }, (_, at) => ({
    ...{ ...SAMPLES.request_logs, id: `req_old${at}`, path: '/v1/stream/results' },
    ...{ api_key: 'key_1', created: START },
  }))
  const other = { ...SAMPLES.request_logs, id: 'req_other', api_key: 'key_1', created: START }
  await put(store, other, ...old)
  const logs = await openRequestLogWriter(store, () => START)
  logs.record(request('created'))
  for (let count = 1; count <= 300; count += 1) logs.record(request(count, { path: '/v1/stream/results' }))
  await logs.flush()
  const ids = await idsIn(store)
  assert.equal([ids[0], ids[1]], ['req_other', 'req_old25'])
  assert.equal([ids.length, ids.at(-26), ids.at(-25)], [1002, 'req_created', 'req_276'])
})

test('deletes request logs after 30 days', async () => {
  const store = createMemoryStore()
  const clock = { now: START }
  const logs = await openRequestLogWriter(store, () => clock.now)
  logs.record(request(1))
  logs.record(request(2, { created: START + DAY }))
  await logs.flush()
  clock.now = START + 30 * DAY - 1
  await logs.flush()
  assert.equal(await idsIn(store), ['req_1', 'req_2'])
  clock.now += 1
  await logs.flush()
  assert.equal(await idsIn(store), ['req_2'])
  clock.now += DAY
  await logs.flush()
  assert.equal(await idsIn(store), [])
})

test('keeps recorded requests for the next flush when the disk is full or the store throws', async () => {
  const store = createMemoryStore()
  const errors: unknown[] = [new DomainError('storage_full', 'Full.'), new Error('broken')]
  const failing: Store = {
    ...store,
    transact: async (work) => {
      const error = errors.shift()
      if (error !== undefined) throw error
      return store.transact(work)
    },
  }
  const logs = await openRequestLogWriter(failing, () => START)
  logs.record(request(1))
  await logs.flush()
  logs.record(request(2))
  assert.match(String(await logs.flush().catch((error: unknown) => error)), 'broken')
  assert.equal(await idsIn(store), [])
  logs.record(request(3))
  await logs.flush()
  assert.equal(await idsIn(store), ['req_1', 'req_2', 'req_3'])
})

test('keeps request logs across a restart and applies the limits to them', async () => {
  const folder = await createDatabaseFolder()
  try {
    const first = await folder.open()
    const logs = await openRequestLogWriter(first, () => START)
    for (let count = 1; count <= 3; count += 1) logs.record(request(count))
    await logs.flush()
    await first.close()
    const second = await folder.open()
    const again = await openRequestLogWriter(second, () => START + 30 * DAY)
    again.record(request(4, { created: START + 30 * DAY }))
    await again.flush()
    assert.equal(await idsIn(second), ['req_4'])
  } finally {
    await folder.dispose()
  }
})

test.run()
