import { KEY } from '../../daemon/http/serve-sandbox.ts'
import { type ServedSandboxes, serveSandboxes } from '../../daemon/sandboxes/serve-sandboxes.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/faults sandboxes')

const FAULTS = '/v1/test_helpers/faults'

let served: ServedSandboxes

test.before.each(async () => {
  served = await serveSandboxes()
})

test.after.each(() => served.close())

async function send(key: string, path: string, fields: object): Promise<Readonly<Record<string, string>>> {
  const { status, text } = await served.post(key, path, fields)
  assert.is(status, 200, text)
  return JSON.parse(text)
}

async function faultsOf(key: string): Promise<readonly { readonly id: string }[]> {
  return JSON.parse((await served.get(key, FAULTS)).text).data
}

test('a fault belongs to one sandbox, and a copy of the sandbox does not contain the fault', async () => {
  await send(KEY, FAULTS, { type: 'decline' })
  const { id = '', api_key = '' } = await send(KEY, '/v1/sandboxes', { from: 'default' })
  assert.equal(await faultsOf(api_key), [])
  const copy = await served.registry.find(id)
  assert.is(await copy.runtime.faults.select({ kind: 'payment', customer: null }), null)
  const own = await send(api_key, FAULTS, { type: 'swap' })
  assert.equal(
    (await faultsOf(api_key)).map((fault) => fault.id),
    [own['id']],
  )
  assert.is((await faultsOf(KEY)).length, 1)
  assert.is((await served.get(KEY, `${FAULTS}/${own['id']}`)).status, 404)
})

for (const [name, fields, reset] of [
  ['to its origin', { from: 'default' }, {}],
  ['to empty', {}, { to: 'empty' }],
] as const) {
  test(`a reset ${name} deletes the faults of a sandbox, and they no longer apply`, async () => {
    const { id = '', api_key = '' } = await send(KEY, '/v1/sandboxes', fields)
    await send(api_key, FAULTS, { type: 'decline' })
    await send(KEY, `/v1/sandboxes/${id}/reset`, reset)
    assert.equal(await faultsOf(api_key), [])
    const { runtime } = await served.registry.find(id)
    assert.is(await runtime.faults.select({ kind: 'payment', customer: null }), null)
    assert.is(runtime.faults.has('payment'), false)
  })
}

test.run()
