import { api } from '../../src/api/api.ts'
import {
  type Decision,
  type RuleContext,
  toCreation,
  toDeletion,
  toRemoval,
  toUpdate,
} from '../../src/domain/core/changes.ts'
import { DomainError } from '../../src/domain/core/domain-error.ts'
import { createCustomer } from '../../src/domain/payments/customers.ts'
import { commit, type TransactionPlan } from '../../src/engine/commit.ts'
import type { Runtime } from '../../src/engine/runtime.ts'
import { REAL_TIME } from '../../src/engine/time-reference.ts'
import type { Store, Write } from '../../src/store/port/store.ts'
import { newCustomer } from '../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/commit')

type Decide<R> = (context: RuleContext) => Decision<R>

function trigger<R>(
  decide: Decide<R>,
  more: Partial<TransactionPlan<null, R>> = {},
): TransactionPlan<null, R> {
  return {
    load: async () => null,
    when: () => REAL_TIME,
    decide: (_loaded, context) => decide(context),
    request: null,
    ...more,
  }
}

/** Returns a runtime and the writes of its store. */
function recordWrites(sandbox: Sandbox): { runtime: Runtime; writes: Write[] } {
  const writes: Write[] = []
  const store: Store = {
    ...sandbox.store,
    transact: (work) =>
      sandbox.store.transact(async (reader) => {
        const decided = await work(reader)
        writes.push(...decided.writes)
        return decided
      }),
  }
  return { runtime: { ...sandbox.runtime, store }, writes }
}

/** Creates a customer, renames it twice, and adds and removes an authentication, all in one decision. */
const decideMany: Decide<string> = (context) => {
  const made = createCustomer({ email: 'ada@example.com' }, context)
  const once = toUpdate('customer.updated', made.after, { ...made.after, name: 'Ada' })
  const twice = toUpdate('customer.updated', once.after, { ...once.after, name: 'Countess' })
  const wait = toCreation(null, { id: 'cks_1', object: 'authentication' })
  return { changes: [made, wait, once, toRemoval(wait.after), twice], result: made.after.id }
}

test('writes a record that changes several times in a single write, with its last state at its first position', async () => {
  const sandbox = createSandbox()
  const { runtime, writes } = recordWrites(sandbox)
  const id = await commit(runtime, trigger(decideMany))
  assert.equal(
    writes.map((write) => ('put' in write ? `put ${write.put.id}` : `remove ${write.remove.id}`)),
    [`put ${id}`, 'remove cks_1'],
  )
  assert.is(((await sandbox.store.get('customers', id)) as { name?: string }).name, 'Countess')
  assert.is(await sandbox.store.get('authentications', 'cks_1'), null)
})

test('emits the events of all changes in order, with previous attributes', async () => {
  const sandbox = createSandbox()
  await commit(sandbox.runtime, trigger(decideMany))
  assert.equal(
    (await sandbox.events()).map(({ sequence, type, data }) => [sequence, type, data.previous_attributes]),
    [
      [1, 'customer.created', undefined],
      [2, 'customer.updated', { name: null }],
      [3, 'customer.updated', { name: 'Ada' }],
    ],
  )
})

test('stores records of different types under the same id', async () => {
  const sandbox = createSandbox()
  const wait = { id: 'shared', object: 'authentication' }
  const secret = { id: 'shared', object: 'webhook_secret' }
  await commit(
    sandbox.runtime,
    trigger(() => ({
      changes: [toCreation(null, wait), toCreation(null, secret)],
      result: null,
    })),
  )
  assert.equal(await sandbox.store.get('authentications', 'shared'), wait)
  assert.equal(await sandbox.store.get('webhook_secrets', 'shared'), secret)
})

test('stores the changes of a decline before throwing its error', async () => {
  const sandbox = createSandbox()
  const refused = await catchDomainError(
    commit(
      sandbox.runtime,
      trigger((context) => ({
        changes: [createCustomer({ email: 'ada@example.com' }, context)],
        error: new DomainError('card_declined', 'No.'),
      })),
    ),
  )
  assert.is(refused.code, 'card_declined')
  assert.is((await sandbox.events()).length, 1)
})

test('stores nothing and uses no sequence number when the decide function throws', async () => {
  const sandbox = createSandbox()
  for (const error of [new DomainError('email_invalid', 'No.'), new Error('a bug')]) {
    const thrown = await commit(
      sandbox.runtime,
      trigger(() => {
        throw error
      }),
    ).catch((caught: unknown) => caught)
    assert.is(thrown, error)
  }
  await newCustomer(sandbox)
  const { records } = await sandbox.snapshot()
  assert.equal(
    records.events.map(({ sequence }) => sequence),
    [1],
  )
})

test('stores nothing when the load function throws', async () => {
  const sandbox = createSandbox()
  const load = async () => {
    throw new DomainError('resource_missing', 'No.')
  }
  assert.is(
    (await catchDomainError(commit(sandbox.runtime, trigger(decideMany, { load })))).code,
    'resource_missing',
  )
  assert.equal(await sandbox.events(), [])
})

test('stores the changes a single time when the store retries the transaction', async () => {
  const sandbox = createSandbox()
  const store: Store = {
    ...sandbox.store,
    transact: (work) =>
      sandbox.store.transact(async (reader) => {
        await work(reader)
        return work(reader)
      }),
  }
  await commit({ ...sandbox.runtime, store }, trigger(decideMany))
  assert.is((await sandbox.snapshot()).records.customers.length, 1)
  assert.is((await sandbox.events()).length, 3)
})

test('stores a deleted object on deletion and emits the last full state', async () => {
  const sandbox = createSandbox()
  const customer = await newCustomer(sandbox)
  await commit(
    sandbox.runtime,
    trigger(() => ({ changes: [toDeletion(customer)], result: null })),
  )
  const [, deleted] = await sandbox.events()
  assert.equal(deleted?.data, { object: customer, previous_attributes: {} })
  assert.equal(await sandbox.store.get('customers', customer.id), {
    id: customer.id,
    object: 'customer',
    deleted: true,
  })
})

test('dates events with the effective time and deliveries with real time', async () => {
  const sandbox = createSandbox()
  await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })
  await commit(sandbox.runtime, trigger(decideMany, { when: () => ({ at: START - 3 * DAY }) }))
  const { records } = await sandbox.snapshot()
  assert.ok(records.events.every(({ created }) => created === START - 3 * DAY))
  assert.ok(
    records.webhook_deliveries.every(
      ({ created, next_attempt_at }) => created === START && next_attempt_at === START,
    ),
  )
})

/** Columns: enabled events of an endpoint, and how many of the three events of `decideMany` it receives. */
const ENABLED_EVENTS: readonly (readonly [enabledEvents: string[], deliveries: number])[] = [
  [['*'], 3],
  [['customer.*'], 3],
  [['customer.updated'], 2],
  [['customer.created', 'customer.updated'], 3],
  [['*', 'customer.*', 'customer.created'], 3],
  [['payment.*'], 0],
  [['checkout_session.completed'], 0],
]

test('plans one delivery per event that an endpoint has enabled', async () => {
  for (const [enabled_events, deliveries] of ENABLED_EVENTS) {
    const sandbox = createSandbox()
    const { id } = await sandbox.call(api.webhookEndpoints.create, {
      url: 'http://127.0.0.1:9/hook',
      enabled_events,
    })
    await commit(sandbox.runtime, trigger(decideMany))
    const { records } = await sandbox.snapshot()
    assert.is(records.webhook_deliveries.length, deliveries, enabled_events.join())
    for (const { webhook_endpoint, attempt, status } of records.webhook_deliveries) {
      assert.equal([webhook_endpoint, attempt, status], [id, 1, 'pending'])
    }
  }
})

test('does not count disabled endpoints in pending_webhooks', async () => {
  const sandbox = createSandbox()
  const create = (enabled_events: string[]) =>
    sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook', enabled_events })
  await create(['*'])
  await create(['customer.updated'])
  const { id } = await create(['*'])
  await sandbox.call(api.webhookEndpoints.update, { id, status: 'disabled' })
  await commit(sandbox.runtime, trigger(decideMany))
  assert.equal(
    (await sandbox.events()).map(({ pending_webhooks }) => pending_webhooks),
    [1, 2, 2],
  )
})

test('makes deliveries to an endpoint due in the order of the events', async () => {
  const sandbox = createSandbox()
  const { id } = await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })
  await commit(sandbox.runtime, trigger(decideMany))
  await newCustomer(sandbox)
  const due = await sandbox.store.listDue(`deliveries:${id}`, START, 10)
  assert.equal(
    due.map((delivery) => (delivery as { event?: string }).event),
    (await sandbox.events()).map((event) => event.id),
  )
})

test('plans no delivery for changes without an event', async () => {
  const sandbox = createSandbox()
  await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })
  await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/other' })
  assert.equal((await sandbox.snapshot()).records.webhook_deliveries, [])
})

test.run()
