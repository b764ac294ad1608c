import { KEY } from '../../daemon/http/serve-sandbox.ts'
import { type ServedSandboxes, serveSandboxes } from '../../daemon/sandboxes/serve-sandboxes.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/faults access')

const FAULTS = '/v1/test_helpers/faults'

async function withServer(
  isExposed: boolean,
  run: (served: ServedSandboxes) => Promise<void>,
): Promise<void> {
  const served = await serveSandboxes({ isExposed })
  try {
    await run(served)
  } finally {
    await served.close()
  }
}

async function createKey({ post }: ServedSandboxes, scopes: readonly string[]): Promise<string> {
  return JSON.parse((await post(KEY, '/v1/api_keys', { scopes })).text).secret
}

const CASES: readonly (readonly [isExposed: boolean, scopes: readonly string[] | null, status: number])[] = [
  [false, null, 200],
  [false, ['faults:write'], 200],
  [false, ['faults:read'], 403],
  [false, ['payments:write'], 403],
  [true, null, 403],
  [true, ['faults:write'], 200],
  [true, ['faults:read'], 403],
  [true, ['payments:write'], 403],
]

for (const [isExposed, scopes, status] of CASES) {
  const name = scopes === null ? 'a secret key' : `a key with ${scopes.join()}`
  const place = isExposed ? 'where other machines reach the API' : 'on a local server'
  test(`${name} ${status === 200 ? 'adds' : 'does not add'} faults ${place}`, async () => {
    await withServer(isExposed, async (served) => {
      const key = scopes === null ? KEY : await createKey(served, scopes)
      const response = await served.post(key, FAULTS, { type: 'swap' })
      assert.is(response.status, status, response.text)
      if (status === 403) assert.is(JSON.parse(response.text).error.code, 'insufficient_scope')
      const { data } = JSON.parse((await served.get(KEY, FAULTS)).text)
      assert.is(data.length, status === 200 ? 1 : 0)
    })
  })
}

test('a secret key can read and delete faults even when other machines can reach the API', async () => {
  await withServer(true, async (served) => {
    const key = await createKey(served, ['faults:write'])
    const { id } = JSON.parse((await served.post(key, FAULTS, { type: 'swap' })).text)
    assert.is((await served.get(KEY, `${FAULTS}/${id}`)).status, 200)
    const headers = { Authorization: `Bearer ${KEY}` }
    const deleted = await fetch(`${served.apiUrl}${FAULTS}/${id}`, { method: 'DELETE', headers })
    assert.is(deleted.status, 200)
  })
})

test('in every sandbox of an exposed server, only a key with faults:write can add faults', async () => {
  await withServer(true, async (served) => {
    const { key } = await served.create()
    assert.is((await served.post(key, FAULTS, { type: 'swap' })).status, 403)
    const restricted = await served.post(key, '/v1/api_keys', { scopes: ['faults:write'] })
    const { secret } = JSON.parse(restricted.text)
    assert.is((await served.post(secret, FAULTS, { type: 'swap' })).status, 200)
    assert.equal(JSON.parse((await served.get(KEY, FAULTS)).text).data, [])
  })
})

test('a repeated request with an idempotency key adds one fault, and a 403 leaves the key unused', async () => {
  await withServer(true, async (served) => {
    const restricted = await createKey(served, ['faults:write'])
    const send = async (key: string) => {
      const headers = {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'k',
      }
      const init = { method: 'POST', headers, body: '{"type":"swap"}' }
      const response = await fetch(served.apiUrl + FAULTS, init)
      return { status: response.status, id: JSON.parse(await response.text()).id }
    }
    assert.is((await send(KEY)).status, 403)
    const first = await send(restricted)
    assert.equal([first, first.status], [await send(restricted), 200])
  })
})

test.run()
