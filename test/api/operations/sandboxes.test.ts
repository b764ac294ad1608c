import { api } from '../../../src/api/api.ts'
import { digestApiKey } from '../../../src/api/core/auth.ts'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import { getKeySandboxId } from '../../../src/domain/sandboxes/api-keys.ts'
import { isUnfinishedSandbox } from '../../../src/domain/sandboxes/sandboxes.ts'
import { checkInvariants } from '../../../src/engine/invariants.ts'
import { testDomainErrors } from '../../support/domain-errors.ts'
import { errorCodeOf, sendIdempotent } from '../../support/idempotent-requests.ts'
import { CHECKOUT_URL, catchDomainError, createSandbox, DAY, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { createTestStore } from '../../support/test-store.ts'

const test = suite('api/sandboxes')

const UNKNOWN = 'sbx_000000000000000000000000'

test('returns the API key and the webhook secret of a sandbox only from create, and stores neither', async () => {
  const server = createSandbox()
  const created = await server.call(api.sandboxes.create, { name: 'Worker 1', expires_at: START + DAY })
  const { api_key, webhook_secret, ...view } = created
  assert.is(getKeySandboxId(api_key), view.id)
  assert.match(webhook_secret, /^whsec_/)
  assert.equal(view, {
    id: view.id,
    object: 'sandbox',
    created: START,
    livemode: false,
    name: 'Worker 1',
    status: 'active',
    storage: 'durable',
    from: null,
    expires_at: START + DAY,
    reset_at: null,
    checkout_url: `${CHECKOUT_URL}/${view.id}`,
    objects: 0,
    events: 0,
  })
  assert.equal(await server.call(api.sandboxes.retrieve, { id: view.id }), view)
  assert.equal((await server.call(api.sandboxes.list, { status: 'active' })).data, [view])
  assert.equal(await server.events(), [])
  assert.equal(checkInvariants(await server.snapshot()), [])
})

test('a new sandbox stores the digest of its API key, and the default sandbox does not', async () => {
  const server = createSandbox()
  const { id, api_key } = await server.call(api.sandboxes.create, {})
  const digest = digestApiKey(api_key)
  assert.ok(await server.sandboxes.runtimeOf(id).store.get('api_key_digests', digest))
  assert.is(await server.store.get('api_key_digests', digest), null)
})

test('copies the contents of another sandbox', async () => {
  const server = createSandbox()
  const customer = await server.call(api.customers.create, { email: 'ada@example.com' })
  const first = await server.call(api.sandboxes.create, { from: 'default' })
  const second = await server.call(api.sandboxes.create, { from: first.id, storage: 'memory' })
  for (const { id, from, events } of [first, second]) {
    assert.equal(await server.sandboxes.runtimeOf(id).store.get('customers', customer.id), customer)
    assert.is(events, 1)
    assert.is(from, id === first.id ? 'default' : first.id)
  }
  assert.is(second.storage, 'memory')
})

test('creates nothing when the source sandbox does not exist', async () => {
  const server = createSandbox()
  const { code, param } = await catchDomainError(server.call(api.sandboxes.create, { from: UNKNOWN }))
  assert.equal([code, param], ['resource_missing', 'from'])
  assert.equal((await server.call(api.sandboxes.list, {})).data, [])
  assert.equal(server.sandboxes.contents(), [])
})

test('a repeated request returns the same key and secret, and creates no second sandbox', async () => {
  const server = createSandbox()
  const keyed = { operation: api.sandboxes.create, key: 'k', body: { name: 'Worker 1' } }
  const first = await sendIdempotent(server.runtime, keyed)
  const again = await sendIdempotent(server.runtime, keyed)
  assert.is(again.body, first.body)
  assert.ok(again.replayOf)
  assert.is(server.sandboxes.contents().length, 1)
  assert.is((await server.call(api.sandboxes.list, {})).data.length, 1)
  assert.equal(checkInvariants(await server.snapshot()), [])
})

test('one of two concurrent requests with the same idempotency key creates a sandbox, the other returns 409 or a replay', async () => {
  const server = createSandbox()
  const keyed = { operation: api.sandboxes.create, key: 'k', body: {} }
  const responses = await Promise.all([1, 2].map(() => sendIdempotent(server.runtime, keyed)))
  const created = responses.find(({ status }) => status === 200)
  const other = responses.find((one) => one !== created)
  // A store may complete one request before it reads the idempotency key of the other request.
  if (other?.status === 409) assert.is(errorCodeOf(other), 'idempotency_key_in_use')
  else assert.is(other?.body, created?.body)
  assert.is(server.sandboxes.contents().length, 1)
  assert.is((await sendIdempotent(server.runtime, keyed)).body, created?.body)
})

test('when two servers execute the same request concurrently, the losing server deletes its prepared contents', async () => {
  const server = createSandbox()
  const other = createSandbox({ store: server.store, idsFrom: 1000 })
  const keyed = { operation: api.sandboxes.create, key: 'k', body: {} }
  const [first, second] = await Promise.all([
    sendIdempotent(server.runtime, keyed),
    sendIdempotent(other.runtime, keyed),
  ])
  assert.is(second.body, first.body)
  const [kept, ...rest] = [...server.sandboxes.contents(), ...other.sandboxes.contents()]
  assert.equal(rest, [])
  assert.equal(
    (await server.call(api.sandboxes.list, {})).data.map(({ id }) => id),
    [kept],
  )
})

test('keeps the contents when the connection is lost during the commit, because the record may be stored', async () => {
  const store = createTestStore()
  const lost = new DomainError('unavailable', 'The connection was lost during the commit.')
  const server = createSandbox({
    store: {
      ...store,
      async transact(work) {
        const committed = await store.transact(work)
        // The connection is lost only after the transaction that begins the creation.
        if ((await store.list('sandboxes', { limit: 1 })).data.every(isUnfinishedSandbox)) return committed
        throw lost
      },
    },
  })
  const { code } = await catchDomainError(server.call(api.sandboxes.create, {}))
  assert.is(code, 'unavailable')
  const { data } = await server.call(api.sandboxes.list, {})
  assert.equal(
    server.sandboxes.contents(),
    data.map(({ id }) => id),
  )
  assert.is(data.length, 1)
})

test('an update changes name and expiry of a sandbox, and null unsets either field', async () => {
  const server = createSandbox()
  const { id } = await server.call(api.sandboxes.create, { name: 'Old' })
  const renamed = await server.call(api.sandboxes.update, { id, name: 'New', expires_at: START + DAY })
  assert.equal([renamed.name, renamed.expires_at], ['New', START + DAY])
  const unset = await server.call(api.sandboxes.update, { id, expires_at: null })
  assert.equal([unset.name, unset.expires_at], ['New', null])
  await server.advance(2 * DAY)
  assert.is((await server.call(api.sandboxes.retrieve, { id })).status, 'active')
})

test('a reset restores a copy to its original contents, or empties any sandbox on request', async () => {
  const server = createSandbox()
  const customer = await server.call(api.customers.create, { email: 'ada@example.com' })
  const { id } = await server.call(api.sandboxes.create, { from: 'default' })
  await server.call(api.customers.create, { email: 'eve@example.com' })
  await server.advance(60)
  const hasCustomer = async () =>
    (await server.sandboxes.runtimeOf(id).store.get('customers', customer.id)) !== null
  const restored = await server.call(api.sandboxes.reset, { id })
  assert.equal([restored.reset_at, restored.events, await hasCustomer()], [START + 60, 1, true])
  const emptied = await server.call(api.sandboxes.reset, { id, to: 'empty' })
  assert.equal([emptied.events, await hasCustomer()], [0, false])
})

test('a repeated reset with the same idempotency key does not reset the sandbox again', async () => {
  const server = createSandbox()
  const { id } = await server.call(api.sandboxes.create, {})
  const keyed = { operation: api.sandboxes.reset, key: 'k', id, body: {} }
  await sendIdempotent(server.runtime, keyed)
  await sendIdempotent(server.sandboxes.runtimeOf(id), {
    operation: api.customers.create,
    key: 'c',
    body: { email: 'a@b.co' },
  })
  assert.ok((await sendIdempotent(server.runtime, keyed)).replayOf)
  assert.is((await server.call(api.sandboxes.retrieve, { id })).events, 1)
})

test('a deleted sandbox has no record and no contents', async () => {
  const server = createSandbox()
  const { id } = await server.call(api.sandboxes.create, {})
  assert.equal(await server.call(api.sandboxes.delete, { id }), { id, object: 'sandbox', deleted: true })
  assert.equal(server.sandboxes.contents(), [])
  for (const operation of [api.sandboxes.retrieve, api.sandboxes.delete, api.sandboxes.reset]) {
    const { code, param } = await catchDomainError(server.send(operation, { id }))
    assert.equal([code, param], ['resource_missing', 'id'])
  }
})

test('a sandbox expires in the second of expires_at, loses its contents and can only be deleted', async () => {
  const server = createSandbox()
  const { id } = await server.call(api.sandboxes.create, { from: 'default', expires_at: START + DAY })
  await server.moveTo(START + DAY - 1)
  assert.is((await server.call(api.sandboxes.retrieve, { id })).status, 'active')
  await server.moveTo(START + DAY)
  assert.equal(server.sandboxes.contents(), [])
  const [expired] = (await server.call(api.sandboxes.list, { status: 'expired' })).data
  assert.equal([expired?.id, expired?.objects, expired?.events], [id, 0, 0])
  for (const operation of [api.sandboxes.update, api.sandboxes.reset]) {
    assert.is((await catchDomainError(server.send(operation, { id }))).code, 'sandbox_unexpected_state')
  }
  await server.call(api.sandboxes.delete, { id })
  assert.equal((await server.call(api.sandboxes.list, {})).data, [])
})

test('the default sandbox can be retrieved, but not updated, reset or deleted', async () => {
  const server = createSandbox()
  await server.call(api.customers.create, { email: 'ada@example.com' })
  for (const id of ['default', 'current']) {
    const view = await server.call(api.sandboxes.retrieve, { id })
    assert.equal([view.id, view.objects, view.events, view.checkout_url], ['default', 1, 1, CHECKOUT_URL])
    for (const operation of [api.sandboxes.update, api.sandboxes.reset, api.sandboxes.delete]) {
      const { code, message } = await catchDomainError(server.send(operation, { id }))
      assert.is(code, 'sandbox_protected')
      assert.match(message, operation === api.sandboxes.update ? 'POST /v1/sandboxes' : 'serve --reset')
    }
  }
})

test('the keys of a sandbox retrieve, update and reset that sandbox only', async () => {
  const server = createSandbox()
  const own = await server.call(api.sandboxes.create, { name: 'Own' })
  const other = await server.call(api.sandboxes.create, { name: 'Other' })
  let requests = 0
  const send = (operation: Parameters<typeof sendIdempotent>[1]['operation'], id?: string, body = {}) => {
    requests += 1
    const runtime = server.sandboxes.runtimeOf(own.id)
    return sendIdempotent(runtime, { operation, key: `k${requests}`, body, ...(id !== undefined && { id }) })
  }
  for (const id of ['current', own.id]) {
    assert.is(JSON.parse((await send(api.sandboxes.retrieve, id)).body).id, own.id)
    assert.is(JSON.parse((await send(api.sandboxes.update, id, { name: 'New' })).body).name, 'New')
    assert.is(JSON.parse((await send(api.sandboxes.reset, id)).body).reset_at, START)
  }
  const { retrieve, update, reset } = api.sandboxes
  const forbidden = [
    await send(api.sandboxes.create),
    await send(api.sandboxes.list),
    await send(api.sandboxes.delete, 'current'),
    await send(api.sandboxes.delete, own.id),
  ]
  for (const id of [other.id, 'default', UNKNOWN]) {
    for (const operation of [retrieve, update, reset]) forbidden.push(await send(operation, id))
  }
  for (const { status, body } of forbidden) {
    assert.is(status, 403)
    assert.is(JSON.parse(body).error.code, 'sandbox_key_not_allowed')
  }
  assert.equal((await server.call(retrieve, { id: other.id })).reset_at, null)
})

test('API keys with equal ids in two sandboxes share no idempotency keys', async () => {
  const server = createSandbox()
  const names = ['One', 'Two']
  for (const name of names) {
    const { id } = await server.call(api.sandboxes.create, {})
    const keyed = { operation: api.sandboxes.update, key: 'k', scope: 'key_1', id: 'current', body: { name } }
    const { body } = await sendIdempotent(server.sandboxes.runtimeOf(id), keyed)
    assert.equal([JSON.parse(body).id, JSON.parse(body).name], [id, name])
  }
})

test('the secrets of API keys that are created or rolled in a sandbox contain the sandbox id', async () => {
  const server = createSandbox()
  const { id } = await server.call(api.sandboxes.create, {})
  const runtime = server.sandboxes.runtimeOf(id)
  const { apiKeys } = api
  const body = { scopes: ['customers:read'] }
  const created = await sendIdempotent(runtime, { operation: apiKeys.create, key: 'k1', body })
  const old = JSON.parse(created.body)
  const rolled = await sendIdempotent(runtime, { operation: apiKeys.roll, key: 'k2', id: old.id })
  for (const { secret } of [old, JSON.parse(rolled.body)]) {
    assert.match(secret, /^payrk_test_/)
    assert.is(getKeySandboxId(secret), id)
  }
})

testDomainErrors(test, {
  operation: api.sandboxes.create,
  prepare: async () => ({ body: { name: 'Tests' } }),
  table: `
    name = ""                        parameter_invalid_string
    name = text(101)                 parameter_invalid_string
    from = "../state"                parameter_invalid_string
    storage = "disk"                 parameter_invalid_enum
    expires_at = 1                   timestamp_invalid
    id = "sbx_1"                     parameter_unknown
  `,
})

testDomainErrors(test, {
  operation: api.sandboxes.reset,
  prepare: async (sandbox) => ({ id: (await sandbox.call(api.sandboxes.create, {})).id, body: {} }),
  table: `
    to = "default"                   parameter_invalid_enum
    from = "default"                 parameter_unknown
  `,
})

test.run()
