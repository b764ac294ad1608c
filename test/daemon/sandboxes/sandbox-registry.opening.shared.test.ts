import { dropDatabase, newDatabaseUrl, stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { type ServedSandboxes, serveSandboxes } from './serve-sandboxes.ts'

const test = suite<{ db: string; a: ServedSandboxes; b: ServedSandboxes }>(
  'daemon/sandboxes/sandbox-registry.opening.shared',
)

test.before.each(async (context) => {
  context.db = await newDatabaseUrl()
  context.a = await serveSandboxes({ db: context.db })
  context.b = await serveSandboxes({ db: context.db })
})

test.after.each(async ({ db, a, b }) => {
  await a.close()
  await b.close()
  await dropDatabase(db)
})

test.after(stopOwnPostgres)

/** Runs work while a server opens its first sandbox, after it has read the secrets of that sandbox. */
function whileOpening({ registry }: ServedSandboxes, work: () => unknown): void {
  const { store } = registry.default.runtime
  const { get } = store
  let reads = 0
  async function read(...args: Parameters<typeof get>) {
    reads += 1
    if (reads === 2) await work()
    return get(...args)
  }
  Object.assign(store, { get: read })
}

test('detects that another process reset a sandbox while this process opened it', async ({ a, b }) => {
  const { sandbox, key } = await a.create({ storage: 'durable' })
  whileOpening(b, () => a.manager.reset(sandbox, 'empty'))
  for (let count = 0; count < 2; count++) assert.is((await b.get(key, '/v1/customers')).status, 200)
  assert.type(b.registry.opened(sandbox.id)?.reset, 'string')
})

test('a sandbox that expires while it is being opened keeps its contents', async ({ a, b }) => {
  const { sandbox, key } = await a.create({ storage: 'durable', expires_at: a.clock.now() + 60 })
  await a.post(key, '/v1/customers', { email: 'ada@example.com' })
  whileOpening(b, () => b.clock.move(60))
  await b.get(key, '/v1/customers')
  assert.equal(await a.manager.countsOf(sandbox), { objects: 1, events: 1 })
})

test.run()
