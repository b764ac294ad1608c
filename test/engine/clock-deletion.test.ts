import { api } from '../../src/api/index.ts'
import { DomainError } from '../../src/domain/domain-error.ts'
import { finishDeletion, resumeClocks, resumeHeldUp } from '../../src/engine/clocks.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { drainDeadlines } from '../../src/engine/real-time.ts'
import type { Runtime } from '../../src/engine/runtime.ts'
import { subscribe } from '../support/billing.ts'
import { customerOn, heldAdvances, newClock, stopAmidDeletion } from '../support/clocks.ts'
import { CARDS, newPaymentSession } from '../support/samples.ts'
import { createSandbox, type Sandbox, START, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { testBackend } from '../support/test-backend.ts'

const test = suite('engine/clock-deletion')

const CUSTOMERS = 12
/** How many the deletion of a clock has under way at once. */
const UNDER_WAY = 4

/** A clock with customers, each with a subscription and an open session. */
async function peopled(): Promise<{ readonly sandbox: Sandbox; readonly id: string }> {
  const sandbox = createSandbox()
  const { id } = await newClock(sandbox)
  for (let made = 0; made < CUSTOMERS; made += 1) {
    const customer = await customerOn(sandbox, id)
    await subscribe(sandbox, { customer })
    await newPaymentSession(sandbox, { customer })
  }
  return { sandbox, id }
}

/** What was told of the deletion of a clock with customers, whoever was first. */
async function told(sandbox: Sandbox): Promise<unknown[]> {
  const events = await sandbox.events()
  const begin = events.findIndex(({ type }) => type === 'test_clock.deleting')
  const ending = events.slice(begin)
  const number = (type: string) => ending.filter((event) => event.type === type).length
  const requests = new Set(ending.map(({ request }) => request?.id))
  return [number('customer.deleted'), number('test_clock.deleted'), ending.at(-1)?.type, requests.size]
}

const WHOLE = [CUSTOMERS, 1, 'test_clock.deleted', 1]

/** A runtime on which no more than so many transactions happen, until `more` lets others. */
function limited(runtime: Runtime, transactions: number) {
  const { store } = runtime
  let left = transactions
  const transact: typeof store.transact = async (work) => {
    left -= 1
    if (left < 0) throw new DomainError('storage_full', 'The disk is full.')
    return store.transact(work)
  }
  const more = () => {
    left = Number.POSITIVE_INFINITY
  }
  return { runtime: { ...runtime, store: { ...store, transact } }, more }
}

const steps = (gone: readonly number[]) => gone.slice(1).map((now, index) => now - Number(gone[index]))

test('customers go one after the other and each whole, and requests have their turn in between', async () => {
  const { sandbox, id } = await peopled()
  const clock = await stopAmidDeletion(sandbox, id)
  const seen = new Set<number>()
  // In a transaction, so that the snapshot shows no half of another one.
  const whole = async () => ({ result: await sandbox.snapshot(), writes: [], events: [] })
  const yieldToEventLoop = async () => {
    const { result: snapshot } = await sandbox.store.transact(whole)
    assert.equal(checkInvariants(snapshot), [])
    seen.add(snapshot.records.customers.filter((customer) => 'deleted' in customer).length)
  }
  await finishDeletion({ ...sandbox.runtime, yieldToEventLoop }, clock)
  const gone = [...seen]
  assert.equal([gone.at(0), gone.at(-1)], [0, CUSTOMERS])
  // A database may commit those under way at once together, and how many of them is its own affair.
  const most = testBackend() === 'postgres' ? UNDER_WAY : 1
  assert.equal(
    steps(gone).filter((step) => step < 1 || step > most),
    [],
  )
  assert.equal(await told(sandbox), WHOLE)
})

test('a deletion that a stop of the process interrupted is gone on with, for whoever asked', async () => {
  const { sandbox, id } = await peopled()
  const clock = await stopAmidDeletion(sandbox, id)
  const stopped = limited(sandbox.runtime, 5)
  await finishDeletion(stopped.runtime, clock).catch((error: unknown) => error)
  const { status } = await sandbox.call(api.testClocks.retrieve, { id })
  assert.is(status, 'deleting')
  assert.equal((await told(sandbox)).slice(0, 2), [5, 0])
  await resumeClocks(sandbox.runtime)
  assert.equal(await told(sandbox), WHOLE)
  const snapshot = await sandbox.snapshot()
  assert.equal([checkInvariants(snapshot), snapshot.records.advances], [[], []])
})

test('who asks for a deletion that goes on already is answered by the same one', async () => {
  const { sandbox, id } = await peopled()
  const deleted = { id, object: 'test_clock', deleted: true }
  const clock = await stopAmidDeletion(sandbox, id)
  const held = heldAdvances(sandbox)
  const first = finishDeletion(held.runtime, clock)
  await held.begun
  assert.equal(await sandbox.call(api.testClocks.delete, { id }), deleted)
  held.release()
  assert.equal(await first, deleted)
  assert.equal(await told(sandbox), WHOLE)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('however many delete a clock at once, everything ends once', async () => {
  const { sandbox, id } = await peopled()
  const clock = await stopAmidDeletion(sandbox, id)
  await Promise.all(Array.from({ length: 3 }, () => finishDeletion(sandbox.runtime, clock)))
  assert.equal(await told(sandbox), WHOLE)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('a disk that takes nothing holds a deletion up, and it goes on by itself', async () => {
  const { sandbox, id } = await peopled()
  const clock = await stopAmidDeletion(sandbox, id)
  const full = limited(sandbox.runtime, 3)
  const held = await finishDeletion(full.runtime, clock).catch((error: unknown) => error)
  assert.is(held instanceof DomainError && held.code, 'storage_full')
  await resumeHeldUp(full.runtime)
  assert.equal((await told(sandbox)).slice(0, 2), [3, 0])
  full.more()
  await resumeHeldUp(full.runtime)
  assert.equal(await told(sandbox), WHOLE)
})

test('an issuer that answers while its clock is being deleted fails nothing', async () => {
  const sandbox = createSandbox()
  const { id } = await newClock(sandbox)
  const session = await newPaymentSession(sandbox, { customer: await customerOn(sandbox, id) })
  await sandbox.submit(session.id, typed(CARDS.slow))
  await stopAmidDeletion(sandbox, id)
  sandbox.setClock(START + 5)
  assert.equal(await drainDeadlines(sandbox.runtime), [])
  await resumeClocks(sandbox.runtime)
  sandbox.setClock(START + 6)
  assert.equal(await drainDeadlines(sandbox.runtime), [])
  const { records } = await sandbox.snapshot()
  assert.equal([records.timers, records.payments[0]?.status], [[], 'failed'])
})

test.run()
