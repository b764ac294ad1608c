import { api } from '../../../src/api/api.ts'
import {
  isUnfinishedSandbox,
  markCreationInterrupted,
  type Sandbox,
} from '../../../src/domain/sandboxes/sandboxes.ts'
import type { SandboxManager } from '../../../src/engine/sandbox-manager.ts'
import { sendIdempotent } from '../../support/idempotent-requests.ts'
import { createSandbox, DAY, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/sandboxes.lifetime')

test('a key of a sandbox can shorten the lifetime of its sandbox, but not extend it', async () => {
  const server = createSandbox()
  const { id } = await server.call(api.sandboxes.create, {})
  const { update } = api.sandboxes
  let requests = 0
  const setExpiry = async (expires_at: number | null) => {
    requests += 1
    const keyed = { operation: update, key: `k${requests}`, body: { expires_at }, id: 'current' }
    const { status, body } = await sendIdempotent(server.sandboxes.runtimeOf(id), keyed)
    return [status, JSON.parse(body).error?.param ?? JSON.parse(body).expires_at]
  }
  assert.equal(await setExpiry(null), [200, null])
  assert.equal(await setExpiry(START + 2 * DAY), [200, START + 2 * DAY])
  assert.equal(await setExpiry(START + DAY), [200, START + DAY])
  assert.equal(await setExpiry(START + DAY), [200, START + DAY])
  for (const later of [START + DAY + 1, null]) assert.equal(await setExpiry(later), [403, 'expires_at'])
  assert.is((await server.call(api.sandboxes.retrieve, { id })).expires_at, START + DAY)
  const extended = await server.call(update, { id, expires_at: null })
  assert.is(extended.expires_at, null)
})

test('a deleted sandbox has status expired until its contents are removed', async () => {
  const server = createSandbox()
  const { id } = await server.call(api.sandboxes.create, {})
  const { sandboxes: manager } = server.runtime
  if (manager === undefined) throw new Error('the runtime has no sandboxes')
  const interrupted = new Error('killed')
  const remove = async () => {
    throw interrupted
  }
  const runtime = { ...server.runtime, sandboxes: { ...manager, remove } }
  const keyed = { operation: api.sandboxes.delete, key: 'k', id, body: {} }
  assert.is(await sendIdempotent(runtime, keyed).catch((error: unknown) => error), interrupted)
  assert.is((await server.store.get('sandboxes', id))?.status, 'expired')
  await server.call(api.sandboxes.delete, { id })
  assert.is(await server.store.get('sandboxes', id), null)
  assert.equal(server.sandboxes.contents(), [])
})

test('a durable sandbox is marked as unfinished until its contents are written', async () => {
  const server = createSandbox()
  const { sandboxes: manager } = server.runtime
  if (manager === undefined) throw new Error('the runtime has no sandboxes')
  const records = async () => (await server.store.list('sandboxes', { limit: 9 })).data
  const create = async (prepare: SandboxManager['prepare'], idempotencyKey: string) => {
    const runtime = { ...server.runtime, sandboxes: { ...manager, prepare } }
    const keyed = { operation: api.sandboxes.create, key: idempotencyKey, body: {} }
    return sendIdempotent(runtime, keyed).catch((error: unknown) => error)
  }
  const during: (readonly Sandbox[])[] = []
  await create(async (...args) => {
    during.push(await records())
    return manager.prepare(...args)
  }, 'a')
  assert.equal(during.flat().map(isUnfinishedSandbox), [true])
  assert.equal((await records()).map(isUnfinishedSandbox), [false])
  const failure = new Error('the disk failed')
  assert.is(await create(() => Promise.reject(failure), 'b'), failure)
  assert.is((await records()).length, 1)
})

test('fails to create a sandbox whose record was marked as interrupted when another server started', async () => {
  const server = createSandbox()
  const { sandboxes: manager } = server.runtime
  if (manager === undefined) throw new Error('the runtime has no sandboxes')
  const prepare: SandboxManager['prepare'] = async (sandbox, secrets) => {
    const begun = await server.store.get('sandboxes', sandbox.id)
    if (begun === null) throw new Error('the creation has not begun')
    const writes = [{ put: markCreationInterrupted(begun).after }]
    await server.store.transact(async () => ({ result: null, writes, events: [] }))
    return manager.prepare(sandbox, secrets)
  }
  const runtime = { ...server.runtime, sandboxes: { ...manager, prepare } }
  const keyed = { operation: api.sandboxes.create, key: 'k', body: {} }
  const { status, body } = await sendIdempotent(runtime, keyed)
  assert.equal([status, JSON.parse(body).error.code], [400, 'sandbox_unexpected_state'])
  assert.equal(server.sandboxes.contents(), [])
})

test.run()
