import { type SandboxRounds, startSandboxRounds } from '../../../src/daemon/sandboxes/sandbox-rounds.ts'
import { waitForNextTurn } from '../../../src/daemon/system/task-scheduling.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { assert, suite } from '../../support/suite.ts'
import { testBackend } from '../../support/test-backend.ts'
import { type CreatedSandbox, type ServedSandboxes, serveSandboxes } from './serve-sandboxes.ts'

const IDLE_MS = 300_000

interface Context {
  served: ServedSandboxes
  rounds: SandboxRounds
  /** A monotonic clock that the test moves. */
  machine: { nowMs: number }
}

const test = suite<Context>('daemon/sandbox-rounds')

test.before.each(async (context) => {
  context.served = await serveSandboxes()
  context.machine = { nowMs: 0 }
  context.rounds = startSandboxRounds(context.served.registry, context.served.clock, {
    monotonicMs: () => context.machine.nowMs,
    onError: (error) => assert.unreachable(String(error)),
  })
})

test.after.each(async ({ served, rounds }) => {
  await rounds.stop()
  await served.close()
})

/** Opens a sandbox and counts the calls of its store from then on. */
async function openCounted({ registry }: ServedSandboxes, { sandbox }: CreatedSandbox) {
  const { jobs, runtime } = await registry.find(sandbox.id)
  await jobs.tick()
  const calls: string[] = []
  const store = runtime.store as { -readonly [K in keyof Store]: unknown }
  for (const name of ['get', 'list', 'listDue', 'listOldest', 'transact', 'nextDeadline'] as const) {
    const original = runtime.store[name].bind(runtime.store) as (...args: unknown[]) => unknown
    store[name] = (...args: unknown[]) => {
      calls.push(name)
      return original(...args)
    }
  }
  return { jobs, calls }
}

test('an idle sandbox runs no rounds of background jobs and sends no query to its store', async ({
  served,
  rounds,
}) => {
  const { jobs, calls } = await openCounted(served, await served.create())
  for (let tick = 0; tick < 20; tick += 1) rounds.startDue()
  assert.is(jobs.isRoundDue(), false)
  assert.equal(calls, [])
})

test('a request causes one round of background jobs, which stores the request log', async ({
  served,
  rounds,
}) => {
  const created = await served.create()
  const { jobs, calls } = await openCounted(served, created)
  await served.post(created.key, '/v1/customers', { email: 'ada@example.com' })
  assert.is(jobs.isRoundDue(), true)
  await rounds.tick()
  assert.is(jobs.isRoundDue(), false)
  calls.length = 0
  rounds.startDue()
  assert.equal(calls, [])
})

test('closes a sandbox after five minutes without requests, and opens the sandbox for the next request', async ({
  served,
  rounds,
  machine,
}) => {
  const created = await served.create()
  const { id } = created.sandbox
  await served.post(created.key, '/v1/customers', { email: 'ada@example.com' })
  await rounds.tick()
  rounds.startDue()
  machine.nowMs += IDLE_MS - 1
  rounds.startDue()
  assert.ok(served.registry.opened(id))
  machine.nowMs += 1
  rounds.startDue()
  while (served.registry.summaryOf(id) === undefined) await waitForNextTurn()
  assert.is(served.registry.opened(id), undefined)
  assert.equal(await served.manager.countsOf(created.sandbox), { objects: 1, events: 1 })
  assert.is(served.registry.opened(id), undefined)
  const list = await served.get(created.key, '/v1/customers')
  assert.is(JSON.parse(list.text).data.length, 1)
})

test('opens a closed sandbox when one of its jobs is due', async ({ served, rounds }) => {
  const { sandbox, key } = await served.create()
  const { id: customer } = JSON.parse(
    (await served.post(key, '/v1/customers', { email: 'a@example.com' })).text,
  )
  const expires_at = served.clock.now() + 3600
  const created = await served.post(key, '/v1/payment_sessions', {
    ...{ amount: 500, currency: 'eur', customer, payment_method_types: ['card'], expires_at },
    return_url: 'https://example.com/done',
  })
  assert.is(created.status, 200, created.text)
  await served.registry.sleep(sandbox.id)
  assert.is(served.registry.summaryOf(sandbox.id)?.wakesAt, expires_at)
  served.clock.move(3599)
  rounds.startDue()
  assert.is(served.registry.opened(sandbox.id), undefined)
  served.clock.move(1)
  rounds.startDue()
  const { jobs, runtime } = await served.registry.find(sandbox.id)
  await jobs.tick()
  const [session] = await runtime.store.listOldest('payment_sessions', 1)
  assert.is(session?.status, 'expired')
})

/** Creates customers with open sessions that expire in an hour. */
async function createSessions(served: ServedSandboxes, key: string, count: number): Promise<void> {
  const customer = await served.post(key, '/v1/customers', { email: 'a@example.com' })
  const session = {
    ...{ amount: 500, currency: 'eur', payment_method_types: ['card'], return_url: 'https://example.com/' },
    ...{ customer: JSON.parse(customer.text).id, expires_at: served.clock.now() + 3600 },
  }
  for (let made = 0; made < count; made += 1) await served.post(key, '/v1/payment_sessions', session)
}

/** Copies a session 10,000 times, each of which is due to expire at the same time. */
async function copySession({ registry }: ServedSandboxes, id: string): Promise<Store> {
  const { runtime } = await registry.find(id)
  const [session] = await runtime.store.listOldest('payment_sessions', 1)
  assert.ok(session)
  const writes = Array.from({ length: 10_000 }, () => ({ put: { ...session, id: runtime.newId('ps_') } }))
  await runtime.store.transact(async () => ({ result: null, writes, events: [] }))
  return runtime.store
}

test('a due job waits only a few event loop turns while another sandbox has 10,000 due jobs', async () => {
  // Each job of a PostgreSQL store waits for the database and not for a slice.
  if (testBackend() !== 'memory') return
  let ms = 0
  const served = await serveSandboxes({
    monotonicMs() {
      ms += 1
      return ms
    },
  })
  const [busy, other] = [await served.create(), await served.create()]
  for (const { key } of [busy, other]) await createSessions(served, key, 1)
  const busyStore = await copySession(served, busy.sandbox.id)
  served.clock.move(3600)
  const all = (await served.registry.find(busy.sandbox.id)).jobs.tick()
  let slices = 0
  let isDone = false
  const otherTick = (await served.registry.find(other.sandbox.id)).jobs.tick().then(() => {
    isDone = true
  })
  while (!isDone) {
    slices += 1
    await waitForNextTurn()
  }
  await otherTick
  const { data } = await busyStore.list('payment_sessions', { where: { status: 'expired' }, limit: 20_000 })
  await all
  await served.close()
  assert.ok(slices <= 10, `${slices} slices`)
  // The number of jobs per turn depends on the other work of the event loop.
  assert.ok(data.length <= 100, `${data.length} jobs ran first`)
})

test.run()
