import { api } from '../../src/api/index.ts'
import { DomainError } from '../../src/domain/domain-error.ts'
import { resumeClocks } from '../../src/engine/clocks.ts'
import { carryOutDue } from '../../src/engine/deadlines.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { drainDeadlines } from '../../src/engine/real-time.ts'
import type { Runtime } from '../../src/engine/runtime.ts'
import type { Reader, Store } from '../../src/store/port/store.ts'
import { subscribe } from '../support/billing.ts'
import { breakAmidAdvance, customerOn, newClock, stopAmidAdvance } from '../support/clocks.ts'
import { CARDS, newCheckout, newCustomer, newPaymentSession } from '../support/samples.ts'
import { createSandbox, DAY, refusal, type Sandbox, START, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/deadlines')

const HOUR = 3600

/** What was told since the sessions were made, as `type id created`. */
async function told(sandbox: Sandbox): Promise<string[]> {
  const events = await sandbox.events()
  return events
    .filter(({ type }) => !type.endsWith('.created'))
    .map(({ type, data, created }) => `${type} ${data.object.id} ${created}`)
}

test('after a long downtime all that fell due happens in order, each at its own time', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const at = (hours: number) => ({ customer, expires_at: START + hours * HOUR })
  const last = await newCheckout(sandbox, {}, at(50))
  const first = await newPaymentSession(sandbox, at(2))
  const second = await newCheckout(sandbox, {}, at(10))
  const never = await newPaymentSession(sandbox, at(24 * 70))
  await sandbox.submit(second.id, typed(CARDS.sca))
  const [waiting] = (await sandbox.call(api.payments.list, {})).data
  await sandbox.moveTo(START + 60 * DAY)
  assert.equal((await told(sandbox)).slice(1), [
    `payment_session.expired ${first.id} ${START + 2 * HOUR}`,
    `payment.canceled ${waiting?.id} ${START + 10 * HOUR}`,
    `checkout_session.expired ${second.id} ${START + 10 * HOUR}`,
    `checkout_session.expired ${last.id} ${START + 50 * HOUR}`,
  ])
  assert.is((await sandbox.call(api.paymentSessions.retrieve, { id: never.id })).status, 'open')
  const canceled = await sandbox.call(api.payments.retrieve, { id: waiting?.id ?? '' })
  assert.is(canceled.canceled_at, START + 10 * HOUR)
  assert.equal((await sandbox.snapshot()).records.authentications, [])
})

test('what falls due at the same second happens in the order it was made, kind by kind', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const checkouts: string[] = []
  const payments: string[] = []
  for (let made = 0; made < 3; made += 1) {
    payments.push((await newPaymentSession(sandbox, { customer })).id)
    checkouts.push((await newCheckout(sandbox, {}, { customer })).id)
  }
  await sandbox.advance(DAY)
  const order = (await told(sandbox)).map((line) => line.split(' ')[1])
  assert.equal(order, [...checkouts, ...payments])
})

/** A session on a test clock whose issuer is thinking. */
async function thinking(sandbox: Sandbox) {
  const { id: clock } = await newClock(sandbox)
  const customer = await customerOn(sandbox, clock)
  const { id } = await newPaymentSession(sandbox, { customer })
  await sandbox.submit(id, typed(CARDS.slow))
  const statusOf = async () => (await sandbox.call(api.paymentSessions.retrieve, { id })).status
  const timers = async () => (await sandbox.snapshot()).records.timers
  return { clock, customer, statusOf, timers }
}

test('an issuer that answers while its clock is being advanced is heard once the clock stands', async () => {
  const sandbox = createSandbox()
  const { clock, statusOf, timers } = await thinking(sandbox)
  await stopAmidAdvance(sandbox, clock, START + HOUR)
  sandbox.setClock(START + 5)
  assert.equal(await drainDeadlines(sandbox.runtime), [])
  assert.equal([await statusOf(), (await timers())[0]?.at], ['open', START + 6])
  await resumeClocks(sandbox.runtime)
  await sandbox.advance(1)
  assert.equal([await statusOf(), await timers()], ['complete', []])
  const { data } = await sandbox.call(api.events.list, { limit: 1 })
  assert.equal([data[0]?.type, data[0]?.created], ['payment_session.completed', START + HOUR])
})

test('an issuer whose clock is broken is not waited for, and fails nothing', async () => {
  const sandbox = createSandbox()
  const { clock, customer, statusOf, timers } = await thinking(sandbox)
  await subscribe(sandbox, { customer })
  await breakAmidAdvance(sandbox, clock, START + 40 * DAY)
  const before = await sandbox.events()
  sandbox.setClock(START + 5)
  assert.equal(await drainDeadlines(sandbox.runtime), [])
  assert.equal([await statusOf(), await timers()], ['open', []])
  assert.equal(await sandbox.events(), before)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('a hundred and more are drained in one go', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  for (let made = 0; made < 230; made += 1) await newPaymentSession(sandbox, { customer })
  assert.equal(await drainDeadlines(sandbox.runtime), [])
  sandbox.setClock(START + DAY)
  assert.equal(await drainDeadlines(sandbox.runtime), [])
  assert.is((await told(sandbox)).length, 230)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('no answer depends on when the ticker last ran', async () => {
  const sandbox = createSandbox()
  const { id, expires_at } = await newCheckout(sandbox)
  sandbox.setClock(expires_at + 5)
  const session = await sandbox.call(api.checkoutSessions.retrieve, { id })
  assert.equal([session.status, session.expired_at], ['expired', expires_at])
})

test('a request in the last second is faster than the deadline', async () => {
  const sandbox = createSandbox()
  const { id, expires_at } = await newPaymentSession(sandbox)
  sandbox.setClock(expires_at - 1)
  await sandbox.submit(id, typed(CARDS.visa))
  await sandbox.advance(DAY)
  assert.is((await sandbox.call(api.paymentSessions.retrieve, { id })).status, 'complete')
})

/** A store that does something else before it commits what a deadline decided. */
function interrupted(sandbox: Sandbox, before: () => Promise<unknown>): Runtime {
  let isFirst = true
  const store: Store = {
    ...sandbox.store,
    async transact(work) {
      if (isFirst) {
        isFirst = false
        await before()
      }
      return sandbox.store.transact(work)
    },
  }
  return { ...sandbox.runtime, store }
}

test('a request that comes between finding a deadline and carrying it out wins', async () => {
  const sandbox = createSandbox()
  const { id, expires_at } = await newPaymentSession(sandbox)
  sandbox.setClock(expires_at)
  const runtime = interrupted(sandbox, async () => {
    await sandbox.store.transact(async (reader) => {
      const session = await reader.get('payment_sessions', id)
      if (session === null) throw new Error('no session')
      return { result: null, writes: [{ put: { ...session, status: 'complete' } }], events: [] }
    })
  })
  assert.equal(await drainDeadlines(runtime), [])
  assert.equal(await told(sandbox), [])
})

test('two drains at once do everything once', async () => {
  const sandbox = createSandbox()
  const { expires_at } = await newPaymentSession(sandbox)
  await newCheckout(sandbox)
  sandbox.setClock(expires_at)
  await Promise.all([drainDeadlines(sandbox.runtime), drainDeadlines(sandbox.runtime)])
  assert.is((await told(sandbox)).length, 2)
})

/** A runtime whose store cannot read some records when it carries out a deadline. */
function damaged(sandbox: Sandbox, isUnreadable: (id: string) => boolean): Runtime {
  const spoil = (reader: Reader): Reader => ({
    list: reader.list.bind(reader),
    due: reader.due.bind(reader),
    oldest: reader.oldest.bind(reader),
    count: reader.count.bind(reader),
    newestSequence: reader.newestSequence.bind(reader),
    async get(collection, id) {
      if (isUnreadable(id)) throw new Error(`cannot read ${id}`)
      return reader.get(collection, id)
    },
  })
  const store: Store = {
    ...sandbox.store,
    transact: (work) => sandbox.store.transact((reader) => work(spoil(reader))),
  }
  return { ...sandbox.runtime, store }
}

test('a deadline that fails is told, stays due and blocks no other', async () => {
  const sandbox = createSandbox()
  const bad = await newPaymentSession(sandbox)
  const good = await newCheckout(sandbox)
  sandbox.setClock(bad.expires_at + HOUR)
  const failed = await drainDeadlines(damaged(sandbox, (id) => id === bad.id))
  assert.equal(
    failed.map(({ record, error }) => [record.id, String(error)]),
    [[bad.id, `Error: cannot read ${bad.id}`]],
  )
  assert.equal(await told(sandbox), [`checkout_session.expired ${good.id} ${good.expires_at}`])
  assert.equal(await drainDeadlines(sandbox.runtime), [])
  assert.is((await told(sandbox)).at(-1), `payment_session.expired ${bad.id} ${bad.expires_at}`)
})

test('however many fail, what is due behind them happens', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const bad = new Set<string>()
  for (let made = 0; made < 250; made += 1) bad.add((await newPaymentSession(sandbox, { customer })).id)
  const good = await newCheckout(sandbox, {}, { customer })
  sandbox.setClock(good.expires_at)
  const failed = await drainDeadlines(damaged(sandbox, (id) => bad.has(id)))
  assert.is(failed.length, 250)
  assert.is((await sandbox.store.get('checkout_sessions', good.id))?.status, 'expired')
})

test('a queue that nothing is in has nothing due', async () => {
  const sandbox = createSandbox()
  const { expires_at } = await newCheckout(sandbox)
  sandbox.setClock(expires_at)
  assert.equal(
    await carryOutDue(sandbox.runtime, {
      queue: 'clock:clock_Test',
      until: sandbox.now(),
      stopsAtFailure: false,
    }),
    { failed: [], waiting: 0 },
  )
  assert.equal(await told(sandbox), [])
})

test('the transaction of a deadline that fell due waits for nobody who came too late', async () => {
  const sandbox = createSandbox()
  const { id, expires_at } = await newCheckout(sandbox)
  sandbox.setClock(expires_at)
  const answers = await Promise.allSettled([
    sandbox.call(api.checkoutSessions.expire, { id }),
    sandbox.submit(id, typed(CARDS.visa)),
    drainDeadlines(sandbox.runtime),
  ])
  assert.equal(
    answers.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  )
  assert.equal(await told(sandbox), [`checkout_session.expired ${id} ${expires_at}`])
  assert.is(
    (await refusal(sandbox.call(api.checkoutSessions.expire, { id }))).code,
    'checkout_session_unexpected_state',
  )
})

test('while the disk takes nothing what is due stays due, and nobody is told of a failure', async () => {
  const sandbox = createSandbox()
  const { expires_at } = await newCheckout(sandbox)
  sandbox.setClock(expires_at)
  const { runtime } = sandbox
  let tries = 0
  const store: Store = {
    ...runtime.store,
    async transact() {
      tries += 1
      throw new DomainError('storage_full', 'The disk is full.')
    },
  }
  assert.equal(await drainDeadlines({ ...runtime, store }), [])
  assert.ok(tries > 0)
  assert.equal(await told(sandbox), [])
  assert.equal(await drainDeadlines(runtime), [])
  assert.is((await told(sandbox)).length, 1)
})

test('those who ask at the same time wait for one drain', async () => {
  const sandbox = createSandbox()
  const { expires_at } = await newCheckout(sandbox)
  sandbox.setClock(expires_at)
  const { runtime } = sandbox
  let transactions = 0
  const store: Store = {
    ...runtime.store,
    transact(work) {
      transactions += 1
      return runtime.store.transact(work)
    },
  }
  const shared = { ...runtime, store }
  await drainDeadlines(shared)
  const alone = transactions
  await newCheckout(sandbox)
  sandbox.setClock(expires_at + 30 * DAY)
  transactions = 0
  await Promise.all(Array.from({ length: 50 }, () => drainDeadlines(shared)))
  assert.ok(transactions <= alone, `${transactions} transactions for 50, ${alone} for one`)
})

test.run()
