import { api, operations } from '../../../src/api/api.ts'
import { getRequiredScope, SCOPES } from '../../../src/api/core/auth.ts'
import type { AnyOperation } from '../../../src/api/core/operation.ts'
import { RESOURCES } from '../../../src/api/resources/catalog.ts'
import { ApiError } from '../../../src/client/api-error.ts'
import { type Client, createClient } from '../../../src/client/client.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import type { ObjectIds } from '../../support/example-objects.ts'
import { errorIn, sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { createEveryObject, readEveryList } from './every-object.ts'

const test = suite('scenarios/isolation: scopes', {}, 180_000)

/** A sandbox with one object of each resource and the keys that belong to it. */
interface Tenant {
  readonly id: string
  readonly full: Client
  /** Every key of the sandbox. */
  readonly keys: readonly string[]
  /** Clients with restricted keys of one scope each, by scope. */
  readonly restricted: ReadonlyMap<string, Client>
  /** Ids by resource. */
  readonly ids: ObjectIds
}

/** Operations on the objects of one sandbox; other tests cover the operations on sandboxes. */
const OBJECT_OPERATIONS = operations.filter(({ name }) => !name.startsWith('sandboxes.'))
const onObjects = OBJECT_OPERATIONS.filter(({ operation }) => operation.path.includes(':id'))
const onCollections = OBJECT_OPERATIONS.filter((one) => !onObjects.includes(one))
const SANDBOX_OPERATIONS = operations.filter(({ name }) => name.startsWith('sandboxes.'))

/** The required parameters, without which the operation does not look up the object. */
const PARAMS = new Map<AnyOperation, object>([
  [api.testClocks.advance as AnyOperation, { by: { interval: 'day', count: 1 } }],
  [api.cardSessions.complete as AnyOperation, { test_card: 'visa' }],
  [api.checkoutSessions.complete as AnyOperation, { test_card: 'visa' }],
  [api.paymentSessions.complete as AnyOperation, { test_card: 'visa' }],
  [api.invoices.payAsCustomer as AnyOperation, { test_card: 'visa' }],
  [api.payments.dispute as AnyOperation, { reason: 'fraudulent', amount: 1 }],
])

let daemon: TestDaemon
let first: Tenant
let second: Tenant
let main: Tenant
let combinations = 0

const clientOf = (apiKey: string) => createClient({ apiBase: daemon.location.api_url, apiKey })

async function openTenant(id: string, key: string): Promise<Tenant> {
  const full = clientOf(key)
  const keys = [key]
  const faultKey = await full.call(api.apiKeys.create, { scopes: ['faults:write'] })
  const ids = await createEveryObject(full, clientOf(faultKey.secret))
  const restricted = new Map<string, Client>()
  for (const scope of SCOPES) {
    const { secret } = await full.call(api.apiKeys.create, { scopes: [scope] })
    keys.push(secret)
    restricted.set(scope, clientOf(secret))
  }
  return { id, full, keys, restricted, ids }
}

async function newTenant(): Promise<Tenant> {
  const { id, api_key } = await daemon.call(api.sandboxes.create, {})
  return openTenant(id, api_key)
}

/** Returns the error code of a call, or `ok`. */
async function outcomeOf(client: Client, operation: AnyOperation, params: object): Promise<string> {
  combinations += 1
  try {
    await client.send(operation, params)
    return 'ok'
  } catch (error) {
    if (error instanceof ApiError) return `${error.status} ${error.error.code}`
    throw error
  }
}

/** Returns whether a key with this scope may call the operation. */
function permits(scope: string, operation: AnyOperation): boolean {
  const needed = getRequiredScope(operation)
  return scope === needed || scope === needed.replace(/:read$/, ':write')
}

const resourceOf = ({ path }: AnyOperation) =>
  RESOURCES.find((resource) => path.startsWith(`/v1/${resource.path}/:id`))?.name ??
  /^\/v1\/(?:test_helpers\/)?(\w+)\/:id/.exec(path)?.[1] ??
  ''

const paramsFor = (operation: AnyOperation, { ids }: Tenant) => ({
  id: ids[resourceOf(operation)],
  ...PARAMS.get(operation),
})

test.before(async () => {
  daemon = await openDaemon({ isProxyTrusted: true })
  PARAMS.set(api.webhookEndpoints.recover as AnyOperation, { since: daemon.clock.now() - 60 })
  main = await openTenant('default', daemon.location.api_key)
  first = await newTenant()
  second = await newTenant()
})

test.after(() => daemon?.stop())

for (const { name, operation } of onObjects.filter(({ operation }) => operation.method === 'GET')) {
  test(`${name}: a key of the same sandbox finds the object`, async () => {
    for (const tenant of [main, first, second])
      assert.is(await outcomeOf(tenant.full, operation, paramsFor(operation, tenant)), 'ok', tenant.id)
  })
}

for (const { name, operation } of onObjects) {
  test(`${name}: no key of a sandbox reaches an object of another sandbox`, async () => {
    for (const target of [main, second])
      assert.ok(paramsFor(operation, target).id, `no object for ${operation.path}`)
    const outcomes = [...first.restricted].map(async ([scope, client]) => {
      // Without the scope, the operation does not look up the object, so one target is enough.
      const isPermitted = permits(scope, operation)
      for (const target of isPermitted ? [main, second] : [second]) {
        const expected = isPermitted ? '404 resource_missing' : '403 insufficient_scope'
        const outcome = await outcomeOf(client, operation, paramsFor(operation, target))
        assert.is(outcome, expected, `${scope} of ${first.id} asks ${target.id}`)
      }
    })
    await Promise.all(outcomes)
    for (const asking of [main, first, second]) {
      for (const target of [main, first, second].filter((tenant) => tenant !== asking)) {
        const outcome = await outcomeOf(asking.full, operation, paramsFor(operation, target))
        assert.is(outcome, '404 resource_missing', `${asking.id} asks ${target.id}`)
      }
    }
  })
}

for (const { name, operation } of onCollections) {
  test(`${name}: a key acts only in its own sandbox`, async () => {
    const before = await readEveryList(second.full)
    for (const [scope, client] of first.restricted) {
      const outcome = await outcomeOf(client, operation, {})
      if (permits(scope, operation)) assert.not.match(outcome, /^40[134]/, scope)
      else assert.is(outcome, '403 insufficient_scope', scope)
    }
    assert.equal(await readEveryList(second.full), before)
  })
}

test('lists of a sandbox contain no object of another sandbox', async () => {
  const lists = await Promise.all([main, first, second].map(({ full }) => readEveryList(full)))
  const all = lists.map((texts) => new Set(texts.join('').match(/"id":"\w+"/g)))
  for (const [at, own] of all.entries()) {
    assert.ok(own.size > 20)
    for (const other of all.slice(at + 1))
      assert.equal(
        [...own].filter((id) => other.has(id)),
        [],
      )
  }
})

for (const { name, operation } of SANDBOX_OPERATIONS) {
  const named = (id: string) => (operation.path.includes(':id') ? { id } : {})
  test(`${name}: keys of a sandbox reach no other sandbox, and restricted keys need the scope`, async () => {
    for (const id of ['default', second.id, 'sbx_unknown']) {
      assert.is(await outcomeOf(first.full, operation, named(id)), '403 sandbox_key_not_allowed', id)
      for (const [scope, client] of first.restricted) {
        const code = permits(scope, operation) ? 'sandbox_key_not_allowed' : 'insufficient_scope'
        assert.is(await outcomeOf(client, operation, named(id)), `403 ${code}`, scope)
      }
    }
    for (const [scope, client] of main.restricted) {
      if (permits(scope, operation)) continue
      assert.is(await outcomeOf(client, operation, named(second.id)), '403 insufficient_scope', scope)
    }
  })
}

/** Returns the code of a GET request from a new address, so that the limit for requests without a valid key never applies. */
async function codeFromNewAddress(key: string, path: string): Promise<string> {
  combinations += 1
  const address = [10, combinations >> 16, (combinations >> 8) & 255, combinations & 255].join('.')
  const headers = { Authorization: `Bearer ${key}`, 'X-Forwarded-For': address }
  const response = await sendRequest(`${daemon.location.api_url}${path.replace(':id', 'current')}`, {
    headers,
  })
  return `${response.status} ${errorIn(response)['code']}`
}

test('rejects each key of a deleted or expired sandbox', async () => {
  const expires_at = daemon.clock.now() + 60
  const expired = await daemon.call(api.sandboxes.create, { expires_at })
  const { secret } = await clientOf(expired.api_key).call(api.apiKeys.create, { scopes: ['customers:read'] })
  await daemon.call(api.sandboxes.delete, { id: first.id })
  daemon.clock.move(61)
  await daemon.tick()
  for (const { name, operation } of operations.filter(({ operation }) => operation.method === 'GET')) {
    for (const key of first.keys)
      assert.is(await codeFromNewAddress(key, operation.path), '401 api_key_invalid', name)
    for (const key of [expired.api_key, secret])
      assert.is(await codeFromNewAddress(key, operation.path), '401 sandbox_expired', name)
  }
})

test('checks at least 1827 combinations of key, operation and sandbox', () => {
  process.stdout.write(`# ${combinations} combinations\n`)
  assert.ok(combinations >= 1827, `${combinations} combinations`)
})

test.run()
