import { readdir } from 'node:fs/promises'
import { api } from '../../../src/api/api.ts'
import { createClient } from '../../../src/client/client.ts'
import { breakDisk, type FailingDisk } from '../../store/file/failing-disk.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { errorIn, postJson } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { testBackend } from '../../support/test-backend.ts'

const test = suite<{ daemon: TestDaemon; disk: FailingDisk }>('daemon/sandbox-manager full disk')
/** Whether the sandboxes are in files. */
const HAS_FILES = testBackend() === 'lowdb'

test.before.each(async (context) => {
  context.daemon = await openDaemon()
  context.disk = await breakDisk()
})

test.after.each(async ({ daemon, disk }) => {
  disk.repair()
  await daemon.stop()
})

/** Returns status and error code of a request while every write fails. */
async function rejectionOf(
  { daemon, disk }: { daemon: TestDaemon; disk: FailingDisk },
  path: string,
  fields: object,
) {
  disk.plan = Array.from({ length: 100 }, () => 'ENOSPC' as const)
  const response = await postJson(`${daemon.location.api_url}${path}`, daemon.location.api_key, fields)
  disk.plan = []
  return [response.status, errorIn(response)['code']]
}

const filesOf = ({ location }: TestDaemon) => readdir(`${location.db}.sandboxes`)

test('returns 503 storage_full when a sandbox cannot be created or copied, and leaves no file', async ({
  daemon,
  disk,
}) => {
  if (!HAS_FILES) return
  await daemon.call(api.customers.create, { email: 'ada@example.com' })
  await daemon.call(api.sandboxes.create, { from: 'default' })
  const before = await filesOf(daemon)
  for (const fields of [{}, { from: 'default' }, { storage: 'memory' }])
    assert.equal(await rejectionOf({ daemon, disk }, '/v1/sandboxes', fields), [503, 'storage_full'])
  assert.equal(await filesOf(daemon), before)
  assert.is((await daemon.call(api.sandboxes.create, { from: 'default' })).objects, 1)
})

test('returns 503 storage_full when a sandbox cannot be reset, which keeps its contents', async ({
  daemon,
  disk,
}) => {
  if (!HAS_FILES) return
  const { id, api_key } = await daemon.call(api.sandboxes.create, {})
  const { call } = createClient({ apiBase: daemon.location.api_url, apiKey: api_key })
  await call(api.customers.create, { email: 'ada@example.com' })
  assert.equal(await rejectionOf({ daemon, disk }, `/v1/sandboxes/${id}/reset`, {}), [503, 'storage_full'])
  assert.is((await call(api.customers.list, {})).data.length, 1)
  await daemon.call(api.sandboxes.reset, { id })
  assert.equal((await call(api.customers.list, {})).data, [])
})

test.run()
