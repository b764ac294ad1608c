import { api } from '../../src/api/index.ts'
import { DomainError } from '../../src/domain/domain-error.ts'
import type { Event } from '../../src/domain/events.ts'
import { finishAdvance, resumeClocks, resumeHeldUp } from '../../src/engine/clocks.ts'
import { carryOutDue } from '../../src/engine/deadlines.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import type { Store } from '../../src/store/port/store.ts'
import { subscribe } from '../support/billing.ts'
import {
  advanceTo,
  breakAmidAdvance,
  customerOn,
  failingIds,
  heldAdvances,
  newClock,
  stopAmidAdvance,
} from '../support/clocks.ts'
import { sendKeyed } from '../support/keyed.ts'
import { newPaymentSession } from '../support/samples.ts'
import { createSandbox, DAY, refusal, type Sandbox, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/clocks')

/** What was told from the event with this number on, as `type created`. */
async function toldFrom(sandbox: Sandbox, count: number): Promise<string[]> {
  return (await sandbox.events()).slice(count).map(({ type, created }) => `${type} ${created}`)
}

async function clockStatus(sandbox: Sandbox, id: string): Promise<unknown[]> {
  const { status, frozen_time } = await sandbox.call(api.testClocks.retrieve, { id })
  return [status, frozen_time]
}

test('all that becomes due happens in order at its own time, and nothing after the target', async () => {
  const sandbox = createSandbox()
  const { id } = await newClock(sandbox)
  const customer = await customerOn(sandbox, id)
  await newPaymentSession(sandbox, { customer, expires_at: START + 40 * DAY })
  await subscribe(sandbox, { customer, card: 'renewal_flaky' })
  const count = (await sandbox.events()).length
  sandbox.setClock(START + 7)
  const clock = await advanceTo(sandbox, id, START + 40 * DAY)
  const [renewal, retry, end] = [START + 31 * DAY, START + 34 * DAY, START + 40 * DAY]
  assert.equal(await toldFrom(sandbox, count), [
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

test('the caller of an advance is named by the clock’s own events, time by the rest', async () => {
  const sandbox = createSandbox()
  const { id } = await newClock(sandbox)
  await subscribe(sandbox, { customer: await customerOn(sandbox, id) })
  const count = (await sandbox.events()).length
  await advanceTo(sandbox, id, START + 31 * DAY)
  const asked = ({ type, request }: Event) => [type.startsWith('test_clock.'), request !== null]
  for (const event of (await sandbox.events()).slice(count)) {
    const [isClocks, isAsked] = asked(event)
    assert.is(isAsked, isClocks, event.type)
  }
})

/** A clock with three customers, whose cards fail in different ways. */
async function threeOnClock(): Promise<{ readonly sandbox: Sandbox; readonly id: string }> {
  const sandbox = createSandbox()
  const { id } = await newClock(sandbox)
  for (const card of ['renewal_flaky', 'renewal_last_chance', 'renewal_no_funds']) {
    const customer = await customerOn(sandbox, id)
    await subscribe(sandbox, { customer, card, interval: 'week' })
    await newPaymentSession(sandbox, { customer, expires_at: START + 14 * DAY })
  }
  return { sandbox, id }
}

/** All that was told on a clock, without the ids of events and their numbers. */
async function toldOn(sandbox: Sandbox, id: string): Promise<unknown[]> {
  const events = (await sandbox.events()).filter(({ test_clock }) => test_clock === id)
  return events.map(({ type, created, data }) => ({ type, created, of: data.object.object }))
}

test('many small steps tell the same as one big one', async () => {
  const [whole, steps] = [await threeOnClock(), await threeOnClock()]
  await advanceTo(whole.sandbox, whole.id, START + 50 * DAY)
  for (let day = 3; day < 50; day += 3) await advanceTo(steps.sandbox, steps.id, START + day * DAY)
  await advanceTo(steps.sandbox, steps.id, START + 50 * DAY)
  assert.equal(await toldOn(steps.sandbox, steps.id), await toldOn(whole.sandbox, whole.id))
  assert.equal(checkInvariants(await steps.sandbox.snapshot()), [])
})

test('a request that arrives during an advance runs after two of its transactions at most', async () => {
  const sandbox = createSandbox()
  const { id } = await newClock(sandbox)
  for (let made = 0; made < 3; made += 1) {
    await subscribe(sandbox, { customer: await customerOn(sandbox, id), interval: 'week' })
  }
  const clock = await stopAmidAdvance(sandbox, id, START + 700 * DAY)
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
  await finishAdvance({ ...sandbox.runtime, store: { ...store, transact } }, clock)
  const counts = await Promise.all(overtaking)
  assert.ok(counts.length > 3)
  assert.equal(
    counts.filter((count) => count > 2),
    [],
  )
})

test('no other time moves: neither real time nor another clock', async () => {
  const { sandbox, id } = await threeOnClock()
  const other = await newClock(sandbox)
  await subscribe(sandbox, { customer: await customerOn(sandbox, other.id) })
  const real = await subscribe(sandbox)
  const before = await toldOn(sandbox, other.id)
  await advanceTo(sandbox, id, START + 400 * DAY)
  assert.equal(await toldOn(sandbox, other.id), before)
  const { period_index } = await sandbox.call(api.subscriptions.retrieve, { id: real.id })
  assert.is(period_index, 0)
  const onClock = await toldOn(sandbox, id)
  await sandbox.moveTo(START + 300 * DAY)
  assert.equal(await toldOn(sandbox, id), onClock)
})

test('objects on a clock live in its time', async () => {
  const sandbox = createSandbox()
  const { id } = await newClock(sandbox, START - 1000 * DAY)
  const customer = await customerOn(sandbox, id)
  const session = await newPaymentSession(sandbox, { customer })
  const { created, start_date, test_clock } = await subscribe(sandbox, { customer })
  const then = START - 1000 * DAY
  assert.equal([session.created, session.expires_at], [then, then + DAY])
  assert.equal([created, start_date, test_clock], [then, then, id])
})

test('an advance that a stop of the process interrupted is gone on with', async () => {
  const { sandbox, id } = await threeOnClock()
  const whole = await threeOnClock()
  await stopAmidAdvance(sandbox, id, START + 30 * DAY)
  // Half of it was done before the process stopped.
  sandbox.setClock(START + 10 * DAY)
  await carryOutDue(sandbox.runtime, { queue: `clock:${id}`, until: sandbox.now(), stopsAtFailure: false })
  sandbox.setClock(START)
  assert.equal(await clockStatus(sandbox, id), ['advancing', START])
  await resumeClocks(sandbox.runtime)
  assert.equal(await clockStatus(sandbox, id), ['ready', START + 30 * DAY])
  await advanceTo(whole.sandbox, whole.id, START + 30 * DAY)
  assert.equal(await toldOn(sandbox, id), await toldOn(whole.sandbox, whole.id))
  await resumeClocks(sandbox.runtime)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('an advance that cannot be gone on with holds up no other', async () => {
  const { sandbox, id } = await threeOnClock()
  const other = await newClock(sandbox)
  for (const clock of [id, other.id]) await stopAmidAdvance(sandbox, clock, START + 30 * DAY)
  const withoutLines = { ...sandbox.runtime, newId: failingIds(sandbox) }
  const error = await resumeClocks(withoutLines).catch((thrown: unknown) => thrown)
  assert.match(String(error), /out of lines/)
  assert.equal(await clockStatus(sandbox, id), ['internal_failure', START + 7 * DAY])
  assert.equal(await clockStatus(sandbox, other.id), ['ready', START + 30 * DAY])
})

test('what cannot be done breaks the clock, and nothing behind it is done', async () => {
  const { sandbox, id } = await threeOnClock()
  const customer = await customerOn(sandbox, id)
  await newPaymentSession(sandbox, { customer, expires_at: START + 5 * DAY })
  const count = (await sandbox.events()).length
  assert.is(String(await breakAmidAdvance(sandbox, id, START + 60 * DAY)), 'Error: out of lines')
  assert.equal(await toldFrom(sandbox, count), [
    `test_clock.advancing ${START}`,
    `payment_session.expired ${START + 5 * DAY}`,
    `test_clock.internal_failure ${START}`,
  ])
  assert.equal(await clockStatus(sandbox, id), ['internal_failure', START + 7 * DAY])
  await sandbox.call(api.testClocks.delete, { id })
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('an advance may bill 100,000 periods, and no more', async () => {
  const sandbox = createSandbox()
  const { id } = await newClock(sandbox)
  const customer = await customerOn(sandbox, id)
  const days = 3653
  for (let made = 0; made < Math.ceil(100_001 / days); made += 1) {
    await subscribe(sandbox, { customer, interval: 'day', collection_method: 'send_invoice' })
  }
  const before = await sandbox.snapshot()
  const refused = await refusal(
    sandbox.call(api.testClocks.advance, { id, by: { interval: 'year', count: 10 } }),
  )
  assert.equal([refused.code, refused.param], ['test_clock_too_far', 'by'])
  assert.match(refused.message, /about 10\d{4} billing periods, and 100000 can be done at once/)
  assert.equal(await sandbox.snapshot(), before)
})

test('a process that comes too late ends no later way of the clock', async () => {
  const sandbox = createSandbox()
  const { id } = await newClock(sandbox)
  const begun = await stopAmidAdvance(sandbox, id, START + DAY)
  const held = heldAdvances(sandbox)
  const late = finishAdvance(held.runtime, begun)
  await finishAdvance(sandbox.runtime, begun)
  const next = await stopAmidAdvance(sandbox, id, START + 2 * DAY)
  held.release()
  await late
  assert.is((await sandbox.call(api.testClocks.retrieve, { id })).status, 'advancing')
  assert.is((await finishAdvance(sandbox.runtime, next)).frozen_time, START + 2 * DAY)
})

test('two advances at once: one is done, the other told to wait', async () => {
  const { sandbox, id } = await threeOnClock()
  const held = heldAdvances(sandbox)
  const body = { frozen_time: START + 20 * DAY }
  const first = sendKeyed(held.runtime, { operation: api.testClocks.advance, key: 'k', id, body })
  await held.begun
  assert.is((await refusal(advanceTo(sandbox, id, START + 30 * DAY))).code, 'test_clock_advancing')
  held.release()
  assert.is((await first).status, 200)
  assert.equal(await clockStatus(sandbox, id), ['ready', START + 20 * DAY])
})

test('a moment outside the calendar is refused before anything is counted to it', async () => {
  const { sandbox, id } = await threeOnClock()
  const before = await sandbox.snapshot()
  const { code } = await refusal(advanceTo(sandbox, id, 1_700_000_000_000_000))
  assert.is(code, 'timestamp_invalid')
  assert.equal(await sandbox.snapshot(), before)
})

for (const writes of [1, 2, 5]) {
  test(`a disk that takes nothing after ${writes} transactions holds an advance up and breaks nothing`, async () => {
    const { sandbox, id } = await threeOnClock()
    const whole = await threeOnClock()
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
    const begun = await stopAmidAdvance({ runtime: full }, id, START + 30 * DAY)
    const held = await refusal(finishAdvance(full, begun))
    assert.is(held.code, 'storage_full')
    assert.equal(await clockStatus(sandbox, id), ['advancing', START])
    left = 0
    await resumeHeldUp(full)
    assert.equal(await clockStatus(sandbox, id), ['advancing', START])
    left = Number.POSITIVE_INFINITY
    await resumeHeldUp(full)
    assert.equal(await clockStatus(sandbox, id), ['ready', START + 30 * DAY])
    await advanceTo(whole.sandbox, whole.id, START + 30 * DAY)
    assert.is((await sandbox.events()).length, (await whole.sandbox.events()).length)
    assert.equal(await checkInvariants(await sandbox.snapshot()), [])
  })
}

test.run()
