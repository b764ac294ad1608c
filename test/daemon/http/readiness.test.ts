import { api } from '../../../src/api/api.ts'
import { createActiveSandboxCounter, createReadinessCheck } from '../../../src/daemon/http/readiness.ts'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import type { StoreReader } from '../../../src/store/port/store.ts'
import { openDaemon } from '../../support/daemon.ts'
import { sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { createFakeCoordinator } from '../fake-coordinator.ts'

const test = suite('daemon/http/readiness')

test('a local store is ready without a query', async () => {
  assert.is(await createReadinessCheck({})(), null)
})

test('rejects after the database files were lost', async () => {
  const failure = new DomainError('unavailable', 'The files were deleted.')
  const state: { failure: DomainError | null } = { failure: null }
  const requireReady = createReadinessCheck({ failure: () => state.failure })
  await requireReady()
  state.failure = failure
  assert.is(await requireReady().catch((thrown: unknown) => thrown), failure)
})

test('concurrent checks share one query, and reject while the database is unreachable or read-only', async () => {
  const responses = [1, 2, 3].map(() => Promise.withResolvers<boolean>())
  let queries = 0
  const isWritable = () => {
    queries += 1
    return responses[queries - 1]?.promise ?? Promise.resolve(true)
  }
  const requireReady = createReadinessCheck({ coordinator: { ...createFakeCoordinator(), isWritable } })
  const both = [requireReady(), requireReady()]
  responses[0]?.resolve(true)
  await Promise.all(both)
  assert.is(queries, 1)
  responses[1]?.reject(new Error('unreachable'))
  responses[2]?.resolve(false)
  for (const _ of ['unreachable', 'read-only']) {
    const error = await requireReady().catch((thrown: unknown) => thrown)
    assert.ok(error instanceof DomainError && error.code === 'unavailable')
  }
  await requireReady()
  assert.is(queries, 4)
})

test('warns about too few connections, also in the error of an unreachable database', async () => {
  const coordinator = Object.assign(createFakeCoordinator(), { shortageWarning: 'Too few connections.' })
  assert.is(await createReadinessCheck({ coordinator })(), 'Too few connections.')
  coordinator.isWritable = () => Promise.reject(new Error('timeout'))
  const error = await createReadinessCheck({ coordinator })().catch((thrown: unknown) => thrown)
  assert.match(String(error), 'Too few connections.')
})

test('/readyz counts the active sandboxes besides the default sandbox', async () => {
  const first = await openDaemon()
  const count = async () => JSON.parse((await sendRequest(`${first.location.api_url}/readyz`)).text).sandboxes
  assert.is(await count(), 0)
  const { id } = await first.call(api.sandboxes.create, {})
  await first.call(api.sandboxes.create, { expires_at: first.clock.now() + 60 })
  assert.is(await count(), 2)
  await first.call(api.sandboxes.delete, { id })
  assert.is(await count(), 1)
  first.clock.move(60)
  await first.tick()
  assert.is(await count(), 0)
  await first.stop()
})

test('the number of sandboxes is null while the store does not respond', async () => {
  const away = new Proxy({} as StoreReader, {
    get: () => () => Promise.reject(new Error('unreachable')),
  })
  assert.is(await createActiveSandboxCounter(away)(), null)
})

test.run()
