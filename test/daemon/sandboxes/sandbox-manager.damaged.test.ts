import { statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getSandboxFile } from '../../../src/store/file/sandbox-files.ts'
import { newFolder } from '../../support/folders.ts'
import { errorIn, sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { type CreatedSandbox, KEY, type ServedSandboxes, serveSandboxes } from './serve-sandboxes.ts'

const test = suite<{ served: ServedSandboxes; db: string; damaged: CreatedSandbox; intact: CreatedSandbox }>(
  'daemon/sandbox-manager.damaged',
)

test.before.each(async (context) => {
  const db = join(newFolder(), 'paycli.json')
  const served = await serveSandboxes({ db })
  const [intact, damaged] = [
    await served.create({ storage: 'durable' }),
    await served.create({ storage: 'durable' }),
  ]
  await served.post(intact.key, '/v1/customers', { email: 'ada@example.com' })
  const file = getSandboxFile(db, damaged.sandbox.id)
  truncateSync(file, statSync(file).size - 10)
  Object.assign(context, { served, db, intact, damaged })
})

test.after.each(async ({ served }) => {
  await served.close()
})

async function listCounts(served: ServedSandboxes): Promise<Record<string, number>> {
  const { status, text } = await served.get(KEY, '/v1/sandboxes')
  assert.is(status, 200)
  const { data } = JSON.parse(text) as { data: { id: string; objects: number; events: number }[] }
  return Object.fromEntries(data.map(({ id, objects, events }) => [id, objects + events]))
}

test('lists a damaged sandbox without counts and intact sandboxes with counts', async ({
  served,
  damaged,
  intact,
}) => {
  assert.equal(await listCounts(served), { [damaged.sandbox.id]: 0, [intact.sandbox.id]: 2 })
})

test('lists a sandbox without counts when its file is not a snapshot', async ({
  served,
  db,
  damaged,
  intact,
}) => {
  writeFileSync(getSandboxFile(db, damaged.sandbox.id), 'no snapshot\n')
  assert.equal(await listCounts(served), { [damaged.sandbox.id]: 0, [intact.sandbox.id]: 2 })
  assert.is((await served.get(damaged.key, '/v1/customers')).status, 503)
})

test('the error for a request to a damaged sandbox names the sandbox, but not its file', async ({
  served,
  damaged,
}) => {
  const { id } = damaged.sandbox
  for (const response of [
    await served.get(KEY, `/v1/sandboxes/${id}`),
    await served.get(damaged.key, '/v1/customers'),
    await sendRequest(`${served.pagesUrl}/${id}/pay/py_sess_1`),
  ]) {
    assert.is(response.status, 503)
    assert.not.match(response.text, '.json')
  }
  const error = errorIn(await served.get(KEY, `/v1/sandboxes/${id}`))
  assert.is(error['code'], 'unavailable')
  assert.match(String(error['message']), `Cannot open sandbox '${id}': its files are damaged.`)
})

test('deletes a damaged sandbox', async ({ served, damaged, intact }) => {
  const headers = { Authorization: `Bearer ${KEY}` }
  const url = `${served.apiUrl}/v1/sandboxes/${damaged.sandbox.id}`
  assert.is((await sendRequest(url, { method: 'DELETE', headers })).status, 200)
  assert.equal(await listCounts(served), { [intact.sandbox.id]: 2 })
})

test.run()
