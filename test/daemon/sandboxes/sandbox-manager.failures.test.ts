import { streamRoutes } from '../../../src/api/operations/streams.ts'
import { createSandboxManagerFactory } from '../../../src/daemon/sandboxes/sandbox-manager.ts'
import { createServerLimits } from '../../../src/daemon/sandboxes/server-limits.ts'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import type { Database } from '../../../src/store/port/database.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { assert, suite } from '../../support/suite.ts'
import { testBackend } from '../../support/test-backend.ts'
import { readRoute } from '../streams/stream-reader.ts'
import { type CreatedSandbox, type ServedSandboxes, serveSandboxes } from './serve-sandboxes.ts'

const test = suite<{ served: ServedSandboxes }>('daemon/sandbox-manager failures')

const STORAGE = testBackend() === 'memory' ? 'memory' : 'durable'

test.before.each(async (context) => {
  context.served = await serveSandboxes()
})

test.after.each(async ({ served }) => {
  await served.close()
})

async function removeRecord({ registry }: ServedSandboxes, { sandbox }: CreatedSandbox): Promise<void> {
  const writes = [{ remove: sandbox }]
  await registry.default.runtime.store.transact(async () => ({ result: null, writes, events: [] }))
}

test('a reset after a deletion does not create the contents again, and closes the streams', async ({
  served,
}) => {
  const { manager, database, apiUrl } = served
  const created = await served.create({ storage: STORAGE })
  const location = { api_url: apiUrl, api_key: created.key }
  const reading = await readRoute({ location }, { route: streamRoutes.events })
  await reading.waitFor('ready', 1)
  await removeRecord(served, created)
  const { code } = await catchDomainError(manager.reset(created.sandbox, 'empty'))
  assert.is(code, 'resource_missing')
  await reading.waitFor('close', 1)
  await manager.remove(created.sandbox)
  await catchDomainError(manager.reset(created.sandbox, 'empty'))
  assert.equal(await database.listSandboxes(), [])
})

test('a copy that cannot be stored leaves no contents', async ({ served }) => {
  const { registry, manager } = served
  const { sandbox } = await served.create({ storage: STORAGE })
  const copy = { ...sandbox, id: 'sbx_copy00000000000000000000', from: 'default' }
  const database: Database = {
    ...served.database,
    async writeSandbox(place, contents) {
      if (place.id === copy.id) throw new DomainError('storage_full', 'The disk is full.')
      await served.database.writeSandbox(place, contents)
    },
  }
  const newToken = () => 'token'
  const options = {
    database,
    registry: () => registry,
    checkoutUrl: '',
    readState: async () => null,
    newToken,
    quotas: createServerLimits().quotas,
  }
  const full = createSandboxManagerFactory(options)(manager.current)
  const secrets = { apiKey: { secret: 'key', digest: 'digest' }, webhookSecret: 'whsec_test' }
  const { code } = await catchDomainError(full.prepare(copy, secrets))
  assert.is(code, 'storage_full')
  const places = await served.database.listSandboxes()
  assert.equal(
    places.map(({ id }) => id),
    [sandbox.id],
  )
})

test.run()
