import { createSandbox } from '../../src/client/create-sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import {
  errorResponse,
  type FakeServer,
  type Reaction,
  type SeenRequest,
  startFakeServer,
} from './fake-server.ts'

const test = suite('client/create-sandbox')

const CREATED = {
  ...{ id: 'sbx_1', api_key: 'paysk_test_sandbox', webhook_secret: 'whsec_x' },
  checkout_url: 'http://127.0.0.1:4101/sbx_1',
}

function react({ method, url }: SeenRequest): Reaction {
  return method === 'POST' && url === '/v1/sandboxes' ? { body: CREATED } : { body: { id: 'sbx_1' } }
}

/** Runs `use` with a fake server, and returns the requests as `method path key body`. */
async function requestsOf(
  use: (apiBase: string) => Promise<void>,
  reaction: (seen: SeenRequest) => Reaction = react,
): Promise<string[]> {
  const server: FakeServer = await startFakeServer(reaction)
  await use(server.url).finally(server.stop)
  return server.seen.map(({ method, url, headers, body }) =>
    [method, url, String(headers['authorization']).replace('Bearer ', ''), body].join(' ').trimEnd(),
  )
}

test('creates a sandbox, calls the API with its key, resets it with its key and deletes it with the key of the server', async () => {
  const requests = await requestsOf(async (apiBase) => {
    const given = { name: 'worker-1', from: 'shop', storage: 'memory', expiresAt: 1_900_000_000 } as const
    const sandbox = await createSandbox({ apiBase, apiKey: 'owner', ...given })
    const { client: _client, reset: _reset, delete: _delete, ...fields } = sandbox
    assert.equal(
      { ...fields, [Symbol.asyncDispose]: null },
      {
        ...{ id: 'sbx_1', apiBase, apiKey: 'paysk_test_sandbox', webhookSecret: 'whsec_x' },
        checkoutUrl: CREATED.checkout_url,
        [Symbol.asyncDispose]: null,
      },
    )
    await sandbox.client.send({ method: 'GET', path: '/v1/customers' }, {})
    await sandbox.reset()
    await sandbox.reset('empty')
    await sandbox.delete()
  })
  assert.equal(requests, [
    'POST /v1/sandboxes owner {"name":"worker-1","from":"shop","storage":"memory","expires_at":1900000000}',
    'GET /v1/customers paysk_test_sandbox',
    'POST /v1/sandboxes/current/reset paysk_test_sandbox {}',
    'POST /v1/sandboxes/current/reset paysk_test_sandbox {"to":"empty"}',
    'DELETE /v1/sandboxes/sbx_1 owner',
  ])
})

test('sends a single DELETE request for repeated delete() calls and disposal', async () => {
  const requests = await requestsOf(async (apiBase) => {
    const sandbox = await createSandbox({ apiBase, apiKey: 'owner' })
    await sandbox.delete()
    await sandbox.delete()
    await sandbox[Symbol.asyncDispose]()
  })
  assert.equal(requests, ['POST /v1/sandboxes owner {}', 'DELETE /v1/sandboxes/sbx_1 owner'])
})

test('delete() succeeds when another process has already deleted the sandbox', async () => {
  const gone = errorResponse(404, { type: 'invalid_request_error', code: 'resource_missing' })
  await requestsOf(
    async (apiBase) => {
      const sandbox = await createSandbox({ apiBase, apiKey: 'owner' })
      await sandbox.delete()
    },
    (seen) => (seen.method === 'DELETE' ? gone : react(seen)),
  )
})

test('delete() throws when the deletion fails, and can be repeated', async () => {
  let isBroken = true
  const requests = await requestsOf(
    async (apiBase) => {
      const sandbox = await createSandbox({ apiBase, apiKey: 'owner' })
      let code = ''
      await sandbox.delete().catch((error: unknown) => {
        code = Object(error).error.code
      })
      assert.is(code, 'unavailable')
      isBroken = false
      await sandbox.delete()
    },
    (seen) =>
      seen.method === 'DELETE' && isBroken
        ? errorResponse(503, { type: 'api_error', code: 'unavailable' })
        : react(seen),
  )
  assert.is(requests.filter((one) => one.startsWith('DELETE')).length, 2)
})

test.run()
