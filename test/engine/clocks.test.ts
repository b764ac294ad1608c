import { api } from '../../src/api/api.ts'
import { DomainError } from '../../src/domain/core/domain-error.ts'
import type { Event } from '../../src/domain/events/events.ts'
import {
  finishClockAdvance,
  resumeInterruptedClocks,
  resumeSuspendedClocks,
} from '../../src/engine/clocks.ts'
import { drainQueue } from '../../src/engine/due-jobs.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import type { Store } from '../../src/store/port/store.ts'
import { subscribe } from '../support/billing.ts'
import {
  advanceClockTo,
  breakDuringAdvance,
  createClock,
  createCustomerOn,
  failingIds,
  holdAdvances,
  interruptAdvance,
  newCustomerOnClock,
} from '../support/clocks.ts'
import { sendIdempotent } from '../support/idempotent-requests.ts'
import { newPaymentSession } from '../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/clocks')

const JANUARY_31 = Date.parse('2027-01-31T10:00:00Z') / 1000

/** Returns the events after the first `count` events, as `type created`. */
async function eventsAfter(sandbox: Sandbox, count: number): Promise<string[]> {
  return (await sandbox.events()).slice(count).map(({ type, created }) => `${type} ${created}`)
}

async function clockStatus(sandbox: Sandbox, id: string): Promise<unknown[]> {
  const { status, frozen_time } = await sandbox.call(api.testClocks.retrieve, { id })
  return [status, frozen_time]
}

test('an advance runs due jobs in order at their scheduled times, and no job after the target', async () => {
  const sandbox = createSandbox()
  const { clock: id, customer } = await newCustomerOnClock(sandbox)
  await newPaymentSession(sandbox, { customer, expires_at: START + 40 * DAY })
  await subscribe(sandbox, { customer, card: 'renewal_flaky' })
  const count = (await sandbox.events()).length
  sandbox.setClock(START + 7)
  const clock = await advanceClockTo(sandbox, id, START + 40 * DAY)
  const [renewal, retry, end] = [START + 31 * DAY, START + 34 * DAY, START + 40 * DAY]
  assert.equal(await eventsAfter(sandbox, count), [
    `test_clock.advancing ${START + 7}`,
    ...['subscription.renewed', 'invoice.created', 'invoice.finalized'].map((type) => `${type} ${renewal}`),
    ...['payment.created', 'payment.failed'].map((type) => `${type} ${renewal}`),
    ...['invoice.payment_failed', 'subscription.past_due'].map((type) => `${type} ${renewal}`),
    ...['payment.created', 'payment.succeeded'].map((type) => `${type} ${retry}`),
    ...['invoice.paid', 'subscription.recovered'].map((type) => `${type} ${retry}`),
    `payment_session.expired ${end}`,
    `test_clock.ready ${START + 7}`,
  ])
  assert.equal([clock.status, clock.frozen_time], ['ready', end])
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('three advances by a month from the 31st renew as often as one advance by three months', async () => {
  const invoices = async (...counts: readonly number[]) => {
    const sandbox = createSandbox()
    const { id } = await sandbox.call(api.testClocks.create, { frozen_time: JANUARY_31 })
    await subscribe(sandbox, { customer: await createCustomerOn(sandbox, id) })
    for (const count of counts)
      await sandbox.call(api.testClocks.advance, { id, by: { interval: 'month', count } })
    const { data } = await sandbox.call(api.invoices.list, { limit: 100 })
    const { frozen_time } = await sandbox.call(api.testClocks.retrieve, { id })
    return { frozen_time, created: data.map(({ created }) => created) }
  }
  const once = await invoices(3)
  assert.is(once.created.length, 4)
  assert.equal(await invoices(1, 1, 1), once)
  assert.equal(await invoices(1, 2), once)
})

test('an advance sets the request on the events of the clock, but not on the events of due jobs', async () => {
  const sandbox = createSandbox()
  const { id } = await createClock(sandbox)
  await subscribe(sandbox, { customer: await createCustomerOn(sandbox, id) })
  const count = (await sandbox.events()).length
  await advanceClockTo(sandbox, id, START + 31 * DAY)
  const flags = ({ type, request }: Event) => [type.startsWith('test_clock.'), request !== null]
  for (const event of (await sandbox.events()).slice(count)) {
    const [isClocks, hasRequest] = flags(event)
    assert.is(hasRequest, isClocks, event.type)
  }
})

/** Creates a clock with three customers whose cards fail in different ways. */
async function createClockWithCustomers(): Promise<{ readonly sandbox: Sandbox; readonly id: string }> {
  const sandbox = createSandbox()
  const { id } = await createClock(sandbox)
  for (const card of ['renewal_flaky', 'renewal_last_chance', 'renewal_no_funds']) {
    const customer = await createCustomerOn(sandbox, id)
    await subscribe(sandbox, { customer, card, interval: 'week' })
    await newPaymentSession(sandbox, { customer, expires_at: START + 14 * DAY })
  }
  return { sandbox, id }
}

/** Returns the events of a clock without their ids and sequence numbers. */
async function clockEvents(sandbox: Sandbox, id: string): Promise<unknown[]> {
  const events = (await sandbox.events()).filter(({ test_clock }) => test_clock === id)
  return events.map(({ type, created, data }) => ({ type, created, of: data.object.object }))
}

test('many short advances emit the same events as one long advance', async () => {
  const [whole, steps] = [await createClockWithCustomers(), await createClockWithCustomers()]
  await advanceClockTo(whole.sandbox, whole.id, START + 50 * DAY)
  for (let day = 3; day < 50; day += 3) await advanceClockTo(steps.sandbox, steps.id, START + day * DAY)
  await advanceClockTo(steps.sandbox, steps.id, START + 50 * DAY)
  assert.equal(await clockEvents(steps.sandbox, steps.id), await clockEvents(whole.sandbox, whole.id))
  assert.equal(checkInvariants(await steps.sandbox.snapshot()), [])
})

test('delays a request during an advance by two transactions at most', async () => {
  const sandbox = createSandbox()
  const { id } = await createClock(sandbox)
  for (let made = 0; made < 3; made += 1) {
    await subscribe(sandbox, { customer: await createCustomerOn(sandbox, id), interval: 'week' })
  }
  const clock = await interruptAdvance(sandbox, id, START + 700 * DAY)
  const { store } = sandbox.runtime
  let ran = 0
  const overtaking: Promise<number>[] = []
  // Counts how many transactions of the advance run between the arrival of a request and its own transaction.
  const arrive = () => {
    const before = ran
    return store.transact(async () => ({ result: ran - before, writes: [], events: [] }))
  }
  const transact: Store['transact'] = (work) => {
    if (ran > 0 && ran % 50 === 0) overtaking.push(arrive().then(({ result }) => result))
    return store.transact((reader) => {
      ran += 1
      return work(reader)
    })
  }
  await finishClockAdvance({ ...sandbox.runtime, store: { ...store, transact } }, clock)
  const counts = await Promise.all(overtaking)
  assert.ok(counts.length > 3)
  assert.equal(
    counts.filter((count) => count > 2),
    [],
  )
})

test('an advance changes no objects in real time or on other clocks', async () => {
  const { sandbox, id } = await createClockWithCustomers()
  const other = await createClock(sandbox)
  await subscribe(sandbox, { customer: await createCustomerOn(sandbox, other.id) })
  const real = await subscribe(sandbox)
  const before = await clockEvents(sandbox, other.id)
  await advanceClockTo(sandbox, id, START + 400 * DAY)
  assert.equal(await clockEvents(sandbox, other.id), before)
  const { period_index } = await sandbox.call(api.subscriptions.retrieve, { id: real.id })
  assert.is(period_index, 0)
  const onClock = await clockEvents(sandbox, id)
  await sandbox.moveTo(START + 300 * DAY)
  assert.equal(await clockEvents(sandbox, id), onClock)
})

test('creates objects with the time of their clock as created', async () => {
  const sandbox = createSandbox()
  const { clock: id, customer } = await newCustomerOnClock(sandbox, START - 1000 * DAY)
  const session = await newPaymentSession(sandbox, { customer })
  const { created, start_date, test_clock } = await subscribe(sandbox, { customer })
  const then = START - 1000 * DAY
  assert.equal([session.created, session.expires_at], [then, then + DAY])
  assert.equal([created, start_date, test_clock], [then, then, id])
})

test('resumes an advance that was interrupted by a stop of the process', async () => {
  const { sandbox, id } = await createClockWithCustomers()
  const whole = await createClockWithCustomers()
  await interruptAdvance(sandbox, id, START + 30 * DAY)
  // Runs a part of the advance before the process stops.
  sandbox.setClock(START + 10 * DAY)
  await drainQueue(sandbox.runtime, { queue: `clock:${id}`, until: sandbox.now(), stopAtFailure: false })
  sandbox.setClock(START)
  assert.equal(await clockStatus(sandbox, id), ['advancing', START])
  await resumeInterruptedClocks(sandbox.runtime)
  assert.equal(await clockStatus(sandbox, id), ['ready', START + 30 * DAY])
  await advanceClockTo(whole.sandbox, whole.id, START + 30 * DAY)
  assert.equal(await clockEvents(sandbox, id), await clockEvents(whole.sandbox, whole.id))
  await resumeInterruptedClocks(sandbox.runtime)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('resumes other clocks when one clock fails', async () => {
  const { sandbox, id } = await createClockWithCustomers()
  const other = await createClock(sandbox)
  for (const clock of [id, other.id]) await interruptAdvance(sandbox, clock, START + 30 * DAY)
  const withoutLines = { ...sandbox.runtime, newId: failingIds(sandbox) }
  const error = await resumeInterruptedClocks(withoutLines).catch((thrown: unknown) => thrown)
  assert.match(String(error), /out of lines/)
  assert.equal(await clockStatus(sandbox, id), ['internal_failure', START + 7 * DAY])
  assert.equal(await clockStatus(sandbox, other.id), ['ready', START + 30 * DAY])
})

test('sets a clock to internal_failure and runs no further job of the clock when a job fails', async () => {
  const { sandbox, id } = await createClockWithCustomers()
  const customer = await createCustomerOn(sandbox, id)
  await newPaymentSession(sandbox, { customer, expires_at: START + 5 * DAY })
  const count = (await sandbox.events()).length
  assert.is(String(await breakDuringAdvance(sandbox, id, START + 60 * DAY)), 'Error: out of lines')
  assert.equal(await eventsAfter(sandbox, count), [
    `test_clock.advancing ${START}`,
    `payment_session.expired ${START + 5 * DAY}`,
    `test_clock.internal_failure ${START}`,
  ])
  assert.equal(await clockStatus(sandbox, id), ['internal_failure', START + 7 * DAY])
  await sandbox.call(api.testClocks.delete, { id })
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('a slower process that finishes the previous advance does not end the next advance', async () => {
  const sandbox = createSandbox()
  const { id } = await createClock(sandbox)
  const begun = await interruptAdvance(sandbox, id, START + DAY)
  const held = holdAdvances(sandbox)
  const late = finishClockAdvance(held.runtime, begun)
  await finishClockAdvance(sandbox.runtime, begun)
  const next = await interruptAdvance(sandbox, id, START + 2 * DAY)
  held.release()
  await late
  assert.is((await sandbox.call(api.testClocks.retrieve, { id })).status, 'advancing')
  assert.is((await finishClockAdvance(sandbox.runtime, next)).frozen_time, START + 2 * DAY)
})

test('rejects an advance while another one is running', async () => {
  const { sandbox, id } = await createClockWithCustomers()
  const held = holdAdvances(sandbox)
  const body = { frozen_time: START + 20 * DAY }
  const first = sendIdempotent(held.runtime, { operation: api.testClocks.advance, key: 'k', id, body })
  await held.begun
  assert.is(
    (await catchDomainError(advanceClockTo(sandbox, id, START + 30 * DAY))).code,
    'test_clock_advancing',
  )
  held.release()
  assert.is((await first).status, 200)
  assert.equal(await clockStatus(sandbox, id), ['ready', START + 20 * DAY])
})

test('rejects a target outside the calendar before counting periods', async () => {
  const { sandbox, id } = await createClockWithCustomers()
  const before = await sandbox.snapshot()
  const { code } = await catchDomainError(advanceClockTo(sandbox, id, 1_700_000_000_000_000))
  assert.is(code, 'timestamp_invalid')
  assert.equal(await sandbox.snapshot(), before)
})

for (const writes of [1, 2, 5]) {
  test(`suspends an advance when the disk is full after ${writes} transactions, and resumes it later`, async () => {
    const { sandbox, id } = await createClockWithCustomers()
    const whole = await createClockWithCustomers()
    const { runtime } = sandbox
    let left = writes
    const store: typeof runtime.store = {
      ...runtime.store,
      async transact(work) {
        left -= 1
        if (left < 0) throw new DomainError('storage_full', 'The disk is full.')
        return runtime.store.transact(work)
      },
    }
    const full = { ...runtime, store }
    const begun = await interruptAdvance({ runtime: full }, id, START + 30 * DAY)
    const held = await catchDomainError(finishClockAdvance(full, begun))
    assert.is(held.code, 'storage_full')
    assert.equal(await clockStatus(sandbox, id), ['advancing', START])
    left = 0
    await resumeSuspendedClocks(full)
    assert.equal(await clockStatus(sandbox, id), ['advancing', START])
    left = Number.POSITIVE_INFINITY
    await resumeSuspendedClocks(full)
    assert.equal(await clockStatus(sandbox, id), ['ready', START + 30 * DAY])
    await advanceClockTo(whole.sandbox, whole.id, START + 30 * DAY)
    assert.is((await sandbox.events()).length, (await whole.sandbox.events()).length)
    assert.equal(await checkInvariants(await sandbox.snapshot()), [])
  })
}

test.run()
