import { api } from '../../../src/api/api.ts'
import { sendIdempotent } from '../../support/idempotent-requests.ts'
import { createSandbox, DAY, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/sandboxes.lifetime')

test('the keys of a sandbox shorten its life and never extend it', async () => {
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

test('a deleted sandbox keeps its record as an expired one until its contents are removed', async () => {
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

test.run()
