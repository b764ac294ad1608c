import { api } from '../../src/api/api.ts'
import { DomainError } from '../../src/domain/core/domain-error.ts'
import { createCustomer } from '../../src/domain/payments/customers.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { commitAfterDueJobs, runDueJobs } from '../../src/engine/real-time-jobs.ts'
import type { Runtime } from '../../src/engine/runtime.ts'
import { REAL_TIME } from '../../src/engine/time-reference.ts'
import type { Store } from '../../src/store/port/store.ts'
import { newCheckout, newPaymentSession } from '../support/samples.ts'
import { catchDomainError, createSandbox, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/real-time-jobs')

/** Returns a runtime that calls `before` ahead of each transaction, and may fail to read a record. */
function disturb(
  sandbox: Sandbox,
  rules: { before?: () => void; failure?: (id: string) => string | null },
): Runtime {
  const { before = () => {}, failure = () => null } = rules
  const { store } = sandbox
  const disturbedStore: Store = {
    ...store,
    transact(work) {
      before()
      return store.transact((reader) =>
        work({
          ...reader,
          async get(collection, id) {
            const message = collection === 'authentications' ? failure(id) : null
            if (message !== null) throw new Error(message)
            return reader.get(collection, id)
          },
        }),
      )
    },
  }
  return { ...sandbox.runtime, store: disturbedStore }
}

/** Creates a customer, as a request does. */
function create(runtime: Runtime) {
  return commitAfterDueJobs(runtime, {
    request: { id: 'req_Asked', idempotency_key: null },
    load: async () => null,
    when: () => REAL_TIME,
    decide: (_loaded, context) => {
      const made = createCustomer({ email: 'ada@example.com' }, context)
      return { changes: [made], result: made.after }
    },
  })
}

test('runs jobs that become due before the transaction starts', async () => {
  const sandbox = createSandbox()
  const { id, expires_at } = await newPaymentSession(sandbox)
  sandbox.setClock(expires_at - 1)
  const runtime = disturb(sandbox, { before: () => sandbox.setClock(expires_at + 1) })
  assert.equal(await runDueJobs(runtime), [])
  await create(runtime)
  const told = (await sandbox.events()).slice(-2).map(({ type, data }) => `${type} ${data.object.id}`)
  assert.is(told[0], `payment_session.expired ${id}`)
  assert.match(told[1] ?? '', /^customer\.created/)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('reports a job that keeps failing once, and again for another error or after a success', async () => {
  const sandbox = createSandbox()
  const { expires_at } = await newPaymentSession(sandbox)
  let wrong: string | null = 'no reading'
  const runtime = disturb(sandbox, { failure: () => wrong })
  sandbox.setClock(expires_at)
  const failures = async () => (await runDueJobs(runtime)).map(({ error }) => String(error))
  assert.equal([await failures(), await failures()], [['Error: no reading'], []])
  wrong = 'no light'
  assert.equal([await failures(), await failures()], [['Error: no light'], []])
  wrong = null
  assert.equal(await failures(), [])
  const later = await newCheckout(sandbox)
  sandbox.setClock(later.expires_at)
  wrong = 'no light'
  assert.equal(await failures(), ['Error: no light'])
})

test('does not block requests when a job fails', async () => {
  const sandbox = createSandbox()
  const { id, expires_at } = await newPaymentSession(sandbox)
  const runtime = disturb(sandbox, { failure: () => 'no reading' })
  sandbox.setClock(expires_at)
  await runDueJobs(runtime)
  sandbox.setClock(expires_at + 5)
  assert.is((await create(runtime)).created, expires_at + 5)
  const session = await sandbox.store.get('payment_sessions', id)
  assert.is(session?.status, 'open')
})

test('runs due jobs before a request even when an earlier job fails', async () => {
  const sandbox = createSandbox()
  const bad = await newPaymentSession(sandbox)
  const good = await newPaymentSession(sandbox, { expires_at: bad.expires_at + 10 })
  let now = bad.expires_at
  const before = () => sandbox.setClock(now)
  const runtime = disturb(sandbox, { before, failure: (id) => (id === bad.id ? 'no reading' : null) })
  before()
  await runDueJobs(runtime)
  now = good.expires_at
  await create(runtime)
  const told = (await sandbox.events()).slice(-2).map(({ type }) => type)
  assert.equal(told, ['payment_session.expired', 'customer.created'])
})

test('rejects a request with storage_full when the disk is full and jobs are due', async () => {
  const sandbox = createSandbox()
  const { expires_at } = await newPaymentSession(sandbox)
  await runDueJobs(sandbox.runtime)
  sandbox.setClock(expires_at)
  const transact: Store['transact'] = (work) =>
    sandbox.store.transact(async (reader) => {
      await work(reader)
      throw new DomainError('storage_full', 'The disk is full.')
    })
  const full = { ...sandbox.runtime, store: { ...sandbox.store, transact } }
  assert.is((await catchDomainError(create(full))).code, 'storage_full')
})

test('uses the time at which the transaction of a request starts', async () => {
  const sandbox = createSandbox()
  const { id, expires_at } = await newPaymentSession(sandbox)
  sandbox.setClock(expires_at - 1)
  await runDueJobs(sandbox.runtime)
  const late = sandbox.call(api.paymentSessions.expire, { id })
  sandbox.setClock(expires_at)
  assert.is((await catchDomainError(late)).code, 'payment_session_unexpected_state')
})

test.run()
