import { api } from '../../src/api/api.ts'
import { DomainError } from '../../src/domain/core/domain-error.ts'
import {
  finishClockDeletion,
  resumeInterruptedClocks,
  resumeSuspendedClocks,
} from '../../src/engine/clocks.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { runDueJobs } from '../../src/engine/real-time-jobs.ts'
import type { Runtime } from '../../src/engine/runtime.ts'
import { subscribe } from '../support/billing.ts'
import { createClock, createCustomerOn, holdAdvances, interruptDeletion } from '../support/clocks.ts'
import { CARDS, newPaymentSession } from '../support/samples.ts'
import { createSandbox, type Sandbox, START, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { testBackend } from '../support/test-backend.ts'

const test = suite('engine/clock-deletion')

const CUSTOMERS = 12
/** The number of customers that `runClockDeletion` deletes concurrently. */
const CONCURRENCY = 4

/** Creates a clock with customers, each with a subscription and an open session. */
async function createClockWithCustomers(): Promise<{ readonly sandbox: Sandbox; readonly id: string }> {
  const sandbox = createSandbox()
  const { id } = await createClock(sandbox)
  for (let made = 0; made < CUSTOMERS; made += 1) {
    const customer = await createCustomerOn(sandbox, id)
    await subscribe(sandbox, { customer })
    await newPaymentSession(sandbox, { customer })
  }
  return { sandbox, id }
}

/** Summarizes the events of a clock deletion. */
async function summarizeDeletion(sandbox: Sandbox): Promise<unknown[]> {
  const events = await sandbox.events()
  const begin = events.findIndex(({ type }) => type === 'test_clock.deleting')
  const ending = events.slice(begin)
  const number = (type: string) => ending.filter((event) => event.type === type).length
  const requests = new Set(ending.map(({ request }) => request?.id))
  return [number('customer.deleted'), number('test_clock.deleted'), ending.at(-1)?.type, requests.size]
}

const COMPLETE = [CUSTOMERS, 1, 'test_clock.deleted', 1]

/** Returns a runtime whose disk is full after some transactions, until `more` is called. */
function limitTransactions(runtime: Runtime, transactions: number) {
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

const differences = (counts: readonly number[]) =>
  counts.slice(1).map((count, index) => count - Number(counts[index]))

test('deletes each customer of a clock in one transaction, and runs other requests in between', async () => {
  const { sandbox, id } = await createClockWithCustomers()
  const clock = await interruptDeletion(sandbox, id)
  const seen = new Set<number>()
  // The snapshot is taken in a transaction, so that it contains no partial transaction.
  const whole = async () => ({ result: await sandbox.snapshot(), writes: [], events: [] })
  const yieldToEventLoop = async () => {
    const { result: snapshot } = await sandbox.store.transact(whole)
    assert.equal(checkInvariants(snapshot), [])
    seen.add(snapshot.records.customers.filter((customer) => 'deleted' in customer).length)
  }
  await finishClockDeletion({ ...sandbox.runtime, yieldToEventLoop }, clock)
  const counts = [...seen]
  assert.equal([counts.at(0), counts.at(-1)], [0, CUSTOMERS])
  // PostgreSQL may commit concurrent transactions together.
  const most = testBackend() === 'postgres' ? CONCURRENCY : 1
  assert.equal(
    differences(counts).filter((step) => step < 1 || step > most),
    [],
  )
  assert.equal(await summarizeDeletion(sandbox), COMPLETE)
})

test('resumes a deletion that was interrupted by a stop of the process, with the same request', async () => {
  const { sandbox, id } = await createClockWithCustomers()
  const clock = await interruptDeletion(sandbox, id)
  const stopped = limitTransactions(sandbox.runtime, 5)
  await finishClockDeletion(stopped.runtime, clock).catch((error: unknown) => error)
  const { status } = await sandbox.call(api.testClocks.retrieve, { id })
  assert.is(status, 'deleting')
  assert.equal((await summarizeDeletion(sandbox)).slice(0, 2), [5, 0])
  await resumeInterruptedClocks(sandbox.runtime)
  assert.equal(await summarizeDeletion(sandbox), COMPLETE)
  const snapshot = await sandbox.snapshot()
  assert.equal([checkInvariants(snapshot), snapshot.records.advances], [[], []])
})

test('a second deletion of a clock waits for the running deletion', async () => {
  const { sandbox, id } = await createClockWithCustomers()
  const deleted = { id, object: 'test_clock', deleted: true }
  const clock = await interruptDeletion(sandbox, id)
  const held = holdAdvances(sandbox)
  const first = finishClockDeletion(held.runtime, clock)
  await held.begun
  assert.equal(await sandbox.call(api.testClocks.delete, { id }), deleted)
  held.release()
  assert.equal(await first, deleted)
  assert.equal(await summarizeDeletion(sandbox), COMPLETE)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('deletes each customer of a clock once when called concurrently', async () => {
  const { sandbox, id } = await createClockWithCustomers()
  const clock = await interruptDeletion(sandbox, id)
  await Promise.all(Array.from({ length: 3 }, () => finishClockDeletion(sandbox.runtime, clock)))
  assert.equal(await summarizeDeletion(sandbox), COMPLETE)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('suspends the deletion of a clock when the disk is full, and resumes it later', async () => {
  const { sandbox, id } = await createClockWithCustomers()
  const clock = await interruptDeletion(sandbox, id)
  const full = limitTransactions(sandbox.runtime, 3)
  const held = await finishClockDeletion(full.runtime, clock).catch((error: unknown) => error)
  assert.is(held instanceof DomainError && held.code, 'storage_full')
  await resumeSuspendedClocks(full.runtime)
  assert.equal((await summarizeDeletion(sandbox)).slice(0, 2), [3, 0])
  full.more()
  await resumeSuspendedClocks(full.runtime)
  assert.equal(await summarizeDeletion(sandbox), COMPLETE)
})

test('discards an issuer decision while the clock of its payment is being deleted', async () => {
  const sandbox = createSandbox()
  const { id } = await createClock(sandbox)
  const session = await newPaymentSession(sandbox, { customer: await createCustomerOn(sandbox, id) })
  await sandbox.submit(session.id, typed(CARDS.slow))
  await interruptDeletion(sandbox, id)
  sandbox.setClock(START + 5)
  assert.equal(await runDueJobs(sandbox.runtime), [])
  await resumeInterruptedClocks(sandbox.runtime)
  sandbox.setClock(START + 6)
  assert.equal(await runDueJobs(sandbox.runtime), [])
  const { records } = await sandbox.snapshot()
  assert.equal([records.timers, records.payments[0]?.status], [[], 'failed'])
})

test.run()
