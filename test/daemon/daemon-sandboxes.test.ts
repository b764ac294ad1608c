import { expireSandbox, type Sandbox, toUnfinishedSandbox } from '../../src/domain/sandboxes/sandboxes.ts'
import type { Database } from '../../src/store/port/database.ts'
import { assert, suite } from '../support/suite.ts'
import { testBackend } from '../support/test-backend.ts'
import { newDatabase } from '../support/test-store.ts'
import { type ServedSandboxes, serveSandboxes } from './sandboxes/serve-sandboxes.ts'

const test = suite('daemon/daemon-sandboxes')

type Interrupted = (served: ServedSandboxes, sandbox: Sandbox) => Promise<void>

async function markExpired({ registry }: ServedSandboxes, sandbox: Sandbox): Promise<void> {
  const writes = [{ put: expireSandbox(sandbox).after }]
  await registry.default.runtime.store.transact(async () => ({ result: null, writes, events: [] }))
}

/** The points at which a process may be killed while it deletes a copied sandbox. */
const INTERRUPTIONS: Readonly<Record<string, Interrupted>> = {
  'after the sandbox expired': markExpired,
  'after its contents were removed': async (served, sandbox) => {
    await markExpired(served, sandbox)
    await served.database.deleteSandbox(sandbox)
  },
  'after its contents and its origin were removed': async (served, sandbox) => {
    await markExpired(served, sandbox)
    await served.manager.remove(sandbox)
  },
}

const idsIn = async (database: Database) => (await database.listSandboxes()).map(({ id }) => id).sort()

for (const [point, interrupt] of Object.entries(INTERRUPTIONS)) {
  test(`starting a server removes the remaining contents of a sandbox whose deletion was interrupted ${point}`, async () => {
    if (testBackend() === 'memory') return
    const db = await newDatabase()
    const served = await serveSandboxes({ db })
    const { sandbox: live } = await served.create({ storage: 'durable', from: 'default' })
    const { sandbox: ended } = await served.create({ storage: 'durable', from: 'default' })
    const liveIds = [live.id, `${live.id}-origin`].sort()
    assert.equal(await idsIn(served.database), [...liveIds, ended.id, `${ended.id}-origin`].sort())
    await interrupt(served, ended)
    await served.close()
    const next = await serveSandboxes({ db })
    assert.equal(await idsIn(next.database), liveIds)
    await next.close()
  })
}

test('starting a server removes a sandbox whose creation was interrupted, with its contents and its record', async () => {
  if (testBackend() === 'memory') return
  const db = await newDatabase()
  const served = await serveSandboxes({ db })
  const { sandbox } = await served.create({ storage: 'durable', from: 'default' })
  const { store } = served.registry.default.runtime
  const writes = [{ put: toUnfinishedSandbox(sandbox) }]
  await store.transact(async () => ({ result: null, writes, events: [] }))
  assert.equal(await idsIn(served.database), [sandbox.id, `${sandbox.id}-origin`].sort())
  await served.close()
  const next = await serveSandboxes({ db })
  assert.equal(await idsIn(next.database), [])
  assert.is(await next.registry.default.runtime.store.get('sandboxes', sandbox.id), null)
  await next.close()
})

test('starting a server keeps the contents of sandboxes without a record in the database', async () => {
  if (testBackend() === 'memory') return
  const db = await newDatabase()
  const served = await serveSandboxes({ db })
  const { sandbox } = await served.create({ storage: 'durable' })
  const writes = [{ remove: sandbox }]
  await served.registry.default.runtime.store.transact(async () => ({ result: null, writes, events: [] }))
  await served.close()
  const next = await serveSandboxes({ db })
  assert.equal(await idsIn(next.database), [sandbox.id])
  await next.close()
})

test.run()
