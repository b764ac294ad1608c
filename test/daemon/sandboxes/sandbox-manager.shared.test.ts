import { expireSandbox, type Sandbox } from '../../../src/domain/sandboxes/sandboxes.ts'
import type { Write } from '../../../src/store/port/store.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { dropDatabase, newDatabaseUrl, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { type ServedSandboxes, serveSandboxes } from './serve-sandboxes.ts'

const test = suite('daemon/sandboxes/sandbox-manager.shared')

test.after(stopOwnPostgres)

/** Deletes a sandbox as DELETE /v1/sandboxes/:id does. */
async function deleteSandbox({ registry, manager }: ServedSandboxes, sandbox: Sandbox): Promise<void> {
  const { store } = registry.default.runtime
  const write = (one: Write) => store.transact(async () => ({ result: null, writes: [one], events: [] }))
  await write({ put: expireSandbox(sandbox).after })
  await manager.remove(sandbox)
  await write({ remove: sandbox })
}

test('a reset during a deletion by another process does not create the contents again', async () => {
  const db = await newDatabaseUrl()
  const [a, b] = [await serveSandboxes({ db }), await serveSandboxes({ db })]
  const { writeSandbox } = a.database
  for (const step of ['openSandbox', 'writeSandbox'] as const) {
    const { sandbox } = await a.create({ storage: 'durable', from: 'default' })
    const work = a.database[step]
    const late = async (...args: Parameters<typeof writeSandbox>) => {
      await deleteSandbox(b, sandbox)
      Object.assign(a.database, { [step]: work })
      return work(...args)
    }
    Object.assign(a.database, { [step]: late })
    const { code } = await catchDomainError(a.manager.reset(sandbox, 'origin'))
    assert.is(code, 'resource_missing')
    assert.equal(await a.database.listSandboxes(), [])
  }
  await a.close()
  await b.close()
  await dropDatabase(db)
})

test.run()
