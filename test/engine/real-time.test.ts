import { api } from '../../src/api/index.ts'
import { createCustomer } from '../../src/domain/customers.ts'
import { DomainError } from '../../src/domain/domain-error.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { commitInTime, drainDeadlines } from '../../src/engine/real-time.ts'
import type { Runtime } from '../../src/engine/runtime.ts'
import { realTime } from '../../src/engine/time-source.ts'
import type { Store } from '../../src/store/port/store.ts'
import { newCheckout, newPaymentSession } from '../support/samples.ts'
import { createSandbox, refusal, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/real-time')

/** A runtime that does something before each transaction, and may make reading a record fail. */
function disturbed(
  sandbox: Sandbox,
  rules: { before?: () => void; fault?: (id: string) => string | null },
): Runtime {
  const { before = () => {}, fault = () => null } = rules
  const { store } = sandbox
  const own: Store = {
    ...store,
    transact(work) {
      before()
      return store.transact((reader) =>
        work({
          ...reader,
          async get(collection, id) {
            const wrong = collection === 'authentications' ? fault(id) : null
            if (wrong !== null) throw new Error(wrong)
            return reader.get(collection, id)
          },
        }),
      )
    },
  }
  return { ...sandbox.runtime, store: own }
}

/** Somebody creates a customer. */
function create(runtime: Runtime) {
  return commitInTime(runtime, {
    request: { id: 'req_Asked', idempotency_key: null },
    load: async () => null,
    when: () => realTime,
    decide: (_loaded, context) => {
      const made = createCustomer({ email: 'ada@example.com' }, context)
      return { changes: [made], result: made.after }
    },
  })
}

test('what becomes due between looking and deciding happens first', async () => {
  const sandbox = createSandbox()
  const { id, expires_at } = await newPaymentSession(sandbox)
  sandbox.setClock(expires_at - 1)
  const runtime = disturbed(sandbox, { before: () => sandbox.setClock(expires_at + 1) })
  assert.equal(await drainDeadlines(runtime), [])
  await create(runtime)
  const told = (await sandbox.events()).slice(-2).map(({ type, data }) => `${type} ${data.object.id}`)
  assert.is(told[0], `payment_session.expired ${id}`)
  assert.match(told[1] ?? '', /^customer\.created/)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('what cannot be done is told once, again when it fails otherwise, and again after it went well', async () => {
  const sandbox = createSandbox()
  const { expires_at } = await newPaymentSession(sandbox)
  let wrong: string | null = 'no reading'
  const runtime = disturbed(sandbox, { fault: () => wrong })
  sandbox.setClock(expires_at)
  const told = async () => (await drainDeadlines(runtime)).map(({ error }) => String(error))
  assert.equal([await told(), await told()], [['Error: no reading'], []])
  wrong = 'no light'
  assert.equal([await told(), await told()], [['Error: no light'], []])
  wrong = null
  assert.equal(await told(), [])
  const later = await newCheckout(sandbox)
  sandbox.setClock(later.expires_at)
  wrong = 'no light'
  assert.equal(await told(), ['Error: no light'])
})

test('what cannot be done holds up nobody', async () => {
  const sandbox = createSandbox()
  const { id, expires_at } = await newPaymentSession(sandbox)
  const runtime = disturbed(sandbox, { fault: () => 'no reading' })
  sandbox.setClock(expires_at)
  await drainDeadlines(runtime)
  sandbox.setClock(expires_at + 5)
  assert.is((await create(runtime)).created, expires_at + 5)
  const session = await sandbox.store.get('payment_sessions', id)
  assert.is(session?.status, 'open')
})

test('what becomes due behind what cannot be done happens first, too', async () => {
  const sandbox = createSandbox()
  const bad = await newPaymentSession(sandbox)
  const good = await newPaymentSession(sandbox, { expires_at: bad.expires_at + 10 })
  let now = bad.expires_at
  const before = () => sandbox.setClock(now)
  const runtime = disturbed(sandbox, { before, fault: (id) => (id === bad.id ? 'no reading' : null) })
  before()
  await drainDeadlines(runtime)
  now = good.expires_at
  await create(runtime)
  const told = (await sandbox.events()).slice(-2).map(({ type }) => type)
  assert.equal(told, ['payment_session.expired', 'customer.created'])
})

test('a disk that takes nothing refuses whoever asks, whatever is due', async () => {
  const sandbox = createSandbox()
  const { expires_at } = await newPaymentSession(sandbox)
  await drainDeadlines(sandbox.runtime)
  sandbox.setClock(expires_at)
  const transact: Store['transact'] = (work) =>
    sandbox.store.transact(async (reader) => {
      await work(reader)
      throw new DomainError('storage_full', 'The disk is full.')
    })
  const full = { ...sandbox.runtime, store: { ...sandbox.store, transact } }
  assert.is((await refusal(create(full))).code, 'storage_full')
})

test('a request is carried out by the time of its turn', async () => {
  const sandbox = createSandbox()
  const { id, expires_at } = await newPaymentSession(sandbox)
  sandbox.setClock(expires_at - 1)
  await drainDeadlines(sandbox.runtime)
  const late = sandbox.call(api.paymentSessions.expire, { id })
  sandbox.setClock(expires_at)
  assert.is((await refusal(late)).code, 'payment_session_unexpected_state')
})

test.run()
