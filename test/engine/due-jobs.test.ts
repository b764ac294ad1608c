import { api } from '../../src/api/api.ts'
import { DomainError } from '../../src/domain/core/domain-error.ts'
import { resumeInterruptedClocks } from '../../src/engine/clocks.ts'
import { drainQueue } from '../../src/engine/due-jobs.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { runDueJobs } from '../../src/engine/real-time-jobs.ts'
import type { Runtime } from '../../src/engine/runtime.ts'
import type { Store, StoreReader } from '../../src/store/port/store.ts'
import { subscribe } from '../support/billing.ts'
import { breakDuringAdvance, interruptAdvance, newCustomerOnClock } from '../support/clocks.ts'
import { CARDS, newCheckout, newCustomer, newPaymentSession } from '../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/due-jobs')

const HOUR = 3600

/** Returns the events except creations, as `type id created`. */
async function listEvents(sandbox: Sandbox): Promise<string[]> {
  const events = await sandbox.events()
  return events
    .filter(({ type }) => !type.endsWith('.created'))
    .map(({ type, data, created }) => `${type} ${data.object.id} ${created}`)
}

test('runs overdue jobs in order, each at its scheduled time, after a long downtime', async () => {
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
  assert.equal((await listEvents(sandbox)).slice(1), [
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

test('runs jobs due in the same second by type, then in creation order', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const checkouts: string[] = []
  const payments: string[] = []
  for (let made = 0; made < 3; made += 1) {
    payments.push((await newPaymentSession(sandbox, { customer })).id)
    checkouts.push((await newCheckout(sandbox, {}, { customer })).id)
  }
  await sandbox.advance(DAY)
  const order = (await listEvents(sandbox)).map((line) => line.split(' ')[1])
  assert.equal(order, [...checkouts, ...payments])
})

/** Creates a session on a test clock with a processing payment. */
async function createProcessingSession(sandbox: Sandbox) {
  const { clock, customer } = await newCustomerOnClock(sandbox)
  const { id } = await newPaymentSession(sandbox, { customer })
  await sandbox.submit(id, typed(CARDS.slow))
  const statusOf = async () => (await sandbox.call(api.paymentSessions.retrieve, { id })).status
  const timers = async () => (await sandbox.snapshot()).records.timers
  return { clock, customer, statusOf, timers }
}

test('applies an issuer decision after the advance of its clock has finished', async () => {
  const sandbox = createSandbox()
  const { clock, statusOf, timers } = await createProcessingSession(sandbox)
  await interruptAdvance(sandbox, clock, START + HOUR)
  sandbox.setClock(START + 5)
  assert.equal(await runDueJobs(sandbox.runtime), [])
  assert.equal([await statusOf(), (await timers())[0]?.at], ['open', START + 6])
  await resumeInterruptedClocks(sandbox.runtime)
  await sandbox.advance(1)
  assert.equal([await statusOf(), await timers()], ['complete', []])
  const { data } = await sandbox.call(api.events.list, { limit: 1 })
  assert.equal([data[0]?.type, data[0]?.created], ['payment_session.completed', START + HOUR])
})

test('discards an issuer decision when its clock has failed', async () => {
  const sandbox = createSandbox()
  const { clock, customer, statusOf, timers } = await createProcessingSession(sandbox)
  await subscribe(sandbox, { customer })
  await breakDuringAdvance(sandbox, clock, START + 40 * DAY)
  const before = await sandbox.events()
  sandbox.setClock(START + 5)
  assert.equal(await runDueJobs(sandbox.runtime), [])
  assert.equal([await statusOf(), await timers()], ['open', []])
  assert.equal(await sandbox.events(), before)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('runs more than a hundred due jobs in one call', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  for (let made = 0; made < 230; made += 1) await newPaymentSession(sandbox, { customer })
  assert.equal(await runDueJobs(sandbox.runtime), [])
  sandbox.setClock(START + DAY)
  assert.equal(await runDueJobs(sandbox.runtime), [])
  assert.is((await listEvents(sandbox)).length, 230)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('runs due jobs before a request when no scheduler runs', async () => {
  const sandbox = createSandbox()
  const { id, expires_at } = await newCheckout(sandbox)
  sandbox.setClock(expires_at + 5)
  const session = await sandbox.call(api.checkoutSessions.retrieve, { id })
  assert.equal([session.status, session.expired_at], ['expired', expires_at])
})

test('accepts a request in the last second before a deadline', async () => {
  const sandbox = createSandbox()
  const { id, expires_at } = await newPaymentSession(sandbox)
  sandbox.setClock(expires_at - 1)
  await sandbox.submit(id, typed(CARDS.visa))
  await sandbox.advance(DAY)
  assert.is((await sandbox.call(api.paymentSessions.retrieve, { id })).status, 'complete')
})

/** Returns a runtime that calls `before` ahead of its first transaction. */
function runBeforeFirst(sandbox: Sandbox, before: () => Promise<unknown>): Runtime {
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

test('skips a due job when a request changed its record before the job ran', async () => {
  const sandbox = createSandbox()
  const { id, expires_at } = await newPaymentSession(sandbox)
  sandbox.setClock(expires_at)
  const runtime = runBeforeFirst(sandbox, async () => {
    await sandbox.store.transact(async (reader) => {
      const session = await reader.get('payment_sessions', id)
      if (session === null) throw new Error('no session')
      return { result: null, writes: [{ put: { ...session, status: 'complete' } }], events: [] }
    })
  })
  assert.equal(await runDueJobs(runtime), [])
  assert.equal(await listEvents(sandbox), [])
})

test('runs each due job once when two calls run concurrently', async () => {
  const sandbox = createSandbox()
  const { expires_at } = await newPaymentSession(sandbox)
  await newCheckout(sandbox)
  sandbox.setClock(expires_at)
  await Promise.all([runDueJobs(sandbox.runtime), runDueJobs(sandbox.runtime)])
  assert.is((await listEvents(sandbox)).length, 2)
})

/** Returns a runtime whose store fails to read some records in transactions. */
function failToRead(sandbox: Sandbox, isUnreadable: (id: string) => boolean): Runtime {
  const wrap = (reader: StoreReader): StoreReader => ({
    list: reader.list.bind(reader),
    listDue: reader.listDue.bind(reader),
    listOldest: reader.listOldest.bind(reader),
    count: reader.count.bind(reader),
    newestSequence: reader.newestSequence.bind(reader),
    async get(collection, id) {
      if (isUnreadable(id)) throw new Error(`cannot read ${id}`)
      return reader.get(collection, id)
    },
  })
  const store: Store = {
    ...sandbox.store,
    transact: (work) => sandbox.store.transact((reader) => work(wrap(reader))),
  }
  return { ...sandbox.runtime, store }
}

test('reports a failed job, does not remove its deadline, and runs the other jobs', async () => {
  const sandbox = createSandbox()
  const bad = await newPaymentSession(sandbox)
  const good = await newCheckout(sandbox)
  sandbox.setClock(bad.expires_at + HOUR)
  const failed = await runDueJobs(failToRead(sandbox, (id) => id === bad.id))
  assert.equal(
    failed.map(({ record, error }) => [record.id, String(error)]),
    [[bad.id, `Error: cannot read ${bad.id}`]],
  )
  assert.equal(await listEvents(sandbox), [`checkout_session.expired ${good.id} ${good.expires_at}`])
  assert.equal(await runDueJobs(sandbox.runtime), [])
  assert.is((await listEvents(sandbox)).at(-1), `payment_session.expired ${bad.id} ${bad.expires_at}`)
})

test('runs the due jobs that follow any number of failed jobs', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const bad = new Set<string>()
  for (let made = 0; made < 250; made += 1) bad.add((await newPaymentSession(sandbox, { customer })).id)
  const good = await newCheckout(sandbox, {}, { customer })
  sandbox.setClock(good.expires_at)
  const failed = await runDueJobs(failToRead(sandbox, (id) => bad.has(id)))
  assert.is(failed.length, 250)
  assert.is((await sandbox.store.get('checkout_sessions', good.id))?.status, 'expired')
})

test('drainQueue() writes nothing when its queue is empty, even if a job of another queue is due', async () => {
  const sandbox = createSandbox()
  const { expires_at } = await newCheckout(sandbox)
  sandbox.setClock(expires_at)
  assert.equal(
    await drainQueue(sandbox.runtime, {
      queue: 'clock:clock_Test',
      until: sandbox.now(),
      stopAtFailure: false,
    }),
    { failed: [], waiting: 0 },
  )
  assert.equal(await listEvents(sandbox), [])
})

test('runs a due expiration before requests that arrive at the same time', async () => {
  const sandbox = createSandbox()
  const { id, expires_at } = await newCheckout(sandbox)
  sandbox.setClock(expires_at)
  const results = await Promise.allSettled([
    sandbox.call(api.checkoutSessions.expire, { id }),
    sandbox.submit(id, typed(CARDS.visa)),
    runDueJobs(sandbox.runtime),
  ])
  assert.equal(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  )
  assert.equal(await listEvents(sandbox), [`checkout_session.expired ${id} ${expires_at}`])
  assert.is(
    (await catchDomainError(sandbox.call(api.checkoutSessions.expire, { id }))).code,
    'checkout_session_unexpected_state',
  )
})

test('does not remove deadlines and reports no failure when the store cannot write', async () => {
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
  assert.equal(await runDueJobs({ ...runtime, store }), [])
  assert.ok(tries > 0)
  assert.equal(await listEvents(sandbox), [])
  assert.equal(await runDueJobs(runtime), [])
  assert.is((await listEvents(sandbox)).length, 1)
})

test('runs the due jobs once for concurrent callers', async () => {
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
  await runDueJobs(shared)
  const alone = transactions
  await newCheckout(sandbox)
  sandbox.setClock(expires_at + 30 * DAY)
  transactions = 0
  await Promise.all(Array.from({ length: 50 }, () => runDueJobs(shared)))
  assert.ok(transactions <= alone, `${transactions} transactions for 50, ${alone} for one`)
})

test.run()
