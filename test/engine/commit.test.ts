import { api } from '../../src/api/index.ts'
import { creation, type Decision, mutation, type RuleContext, removal } from '../../src/domain/changes.ts'
import { createCustomer, customerDeleted, updateCustomer } from '../../src/domain/customers.ts'
import { DomainError } from '../../src/domain/domain-error.ts'
import { commit, type Trigger } from '../../src/engine/commit.ts'
import type { Runtime } from '../../src/engine/runtime.ts'
import { realTime } from '../../src/engine/time-source.ts'
import type { Store, Write } from '../../src/store/port/store.ts'
import { newCustomer } from '../support/samples.ts'
import { createSandbox, DAY, refusal, type Sandbox, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/commit')

type Decide<R> = (context: RuleContext) => Decision<R>

function trigger<R>(decide: Decide<R>, more: Partial<Trigger<null, R>> = {}): Trigger<null, R> {
  return {
    load: async () => null,
    when: () => realTime,
    decide: (_loaded, context) => decide(context),
    request: null,
    ...more,
  }
}

/** A runtime that also tells what its store was asked to write. */
function watched(sandbox: Sandbox): { runtime: Runtime; writes: Write[] } {
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

/** Made, renamed twice, and a wait that begins and ends, all in one decision. */
const eventful: Decide<string> = (context) => {
  const made = createCustomer({ email: 'ada@example.com' }, context)
  const once = mutation('customer.updated', made.after, updateCustomer(made.after, { name: 'Ada' }))
  const twice = mutation('customer.updated', once.after, updateCustomer(once.after, { name: 'Countess' }))
  const wait = creation(null, { id: 'cks_1', object: 'authentication' })
  return { changes: [made, wait, once, removal(wait.after), twice], result: made.after.id }
}

test('a record that changes often is written once, in its last state and its first place', async () => {
  const sandbox = createSandbox()
  const { runtime, writes } = watched(sandbox)
  const id = await commit(runtime, trigger(eventful))
  assert.equal(
    writes.map((write) => ('put' in write ? `put ${write.put.id}` : `remove ${write.remove.id}`)),
    [`put ${id}`, 'remove cks_1'],
  )
  assert.is(((await sandbox.store.get('customers', id)) as { name?: string }).name, 'Countess')
  assert.is(await sandbox.store.get('authentications', 'cks_1'), null)
})

test('each change with an event is told, in order, with what was before', async () => {
  const sandbox = createSandbox()
  await commit(sandbox.runtime, trigger(eventful))
  assert.equal(
    (await sandbox.events()).map(({ sequence, type, data }) => [sequence, type, data.previous_attributes]),
    [
      [1, 'customer.created', undefined],
      [2, 'customer.updated', { name: null }],
      [3, 'customer.updated', { name: 'Ada' }],
    ],
  )
})

test('records of two kinds may share an id', async () => {
  const sandbox = createSandbox()
  const wait = { id: 'shared', object: 'authentication' }
  const secret = { id: 'shared', object: 'webhook_secret' }
  await commit(
    sandbox.runtime,
    trigger(() => ({ changes: [creation(null, wait), creation(null, secret)], result: null })),
  )
  assert.equal(await sandbox.store.get('authentications', 'shared'), wait)
  assert.equal(await sandbox.store.get('webhook_secrets', 'shared'), secret)
})

test('a refusal that leaves something behind is thrown after it was stored', async () => {
  const sandbox = createSandbox()
  const refused = await refusal(
    commit(
      sandbox.runtime,
      trigger((context) => ({
        changes: [createCustomer({ email: 'ada@example.com' }, context)],
        refusal: new DomainError('card_declined', 'No.'),
      })),
    ),
  )
  assert.is(refused.code, 'card_declined')
  assert.is((await sandbox.events()).length, 1)
})

test('a rule that throws, refusal or bug, stores nothing and takes no number', async () => {
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

test('a load that fails stores nothing', async () => {
  const sandbox = createSandbox()
  const load = async () => {
    throw new DomainError('resource_missing', 'No.')
  }
  assert.is((await refusal(commit(sandbox.runtime, trigger(eventful, { load })))).code, 'resource_missing')
  assert.equal(await sandbox.events(), [])
})

test('a store that runs the work again stores it once', async () => {
  const sandbox = createSandbox()
  const store: Store = {
    ...sandbox.store,
    transact: (work) =>
      sandbox.store.transact(async (reader) => {
        await work(reader)
        return work(reader)
      }),
  }
  await commit({ ...sandbox.runtime, store }, trigger(eventful))
  assert.is((await sandbox.snapshot()).records.customers.length, 1)
  assert.is((await sandbox.events()).length, 3)
})

test('a deletion leaves the stub and tells the last full state', async () => {
  const sandbox = createSandbox()
  const customer = await newCustomer(sandbox)
  await commit(
    sandbox.runtime,
    trigger(() => ({ changes: [customerDeleted(customer)], result: null })),
  )
  const [, deleted] = await sandbox.events()
  assert.equal(deleted?.data, { object: customer, previous_attributes: {} })
  assert.equal(await sandbox.store.get('customers', customer.id), {
    id: customer.id,
    object: 'customer',
    deleted: true,
  })
})

test('what happens at another time is told at that time, and delivered now', async () => {
  const sandbox = createSandbox()
  await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })
  await commit(sandbox.runtime, trigger(eventful, { when: () => ({ at: START - 3 * DAY }) }))
  const { records } = await sandbox.snapshot()
  assert.ok(records.events.every(({ created }) => created === START - 3 * DAY))
  assert.ok(
    records.webhook_deliveries.every(
      ({ created, next_attempt_at }) => created === START && next_attempt_at === START,
    ),
  )
})

/** what an endpoint wants, and how many of the three events of `eventful` and one payment it is sent */
const WANTED: readonly (readonly [enabledEvents: string[], deliveries: number])[] = [
  [['*'], 3],
  [['customer.*'], 3],
  [['customer.updated'], 2],
  [['customer.created', 'customer.updated'], 3],
  [['*', 'customer.*', 'customer.created'], 3],
  [['payment.*'], 0],
  [['checkout_session.completed'], 0],
]

test('each endpoint is planned one delivery of each event it wants', async () => {
  for (const [enabled_events, deliveries] of WANTED) {
    const sandbox = createSandbox()
    const { id } = await sandbox.call(api.webhookEndpoints.create, {
      url: 'http://127.0.0.1:9/hook',
      enabled_events,
    })
    await commit(sandbox.runtime, trigger(eventful))
    const { records } = await sandbox.snapshot()
    assert.is(records.webhook_deliveries.length, deliveries, enabled_events.join())
    for (const { webhook_endpoint, attempt, status } of records.webhook_deliveries) {
      assert.equal([webhook_endpoint, attempt, status], [id, 1, 'pending'])
    }
  }
})

test('an event counts the endpoints that are to be told, disabled ones not', async () => {
  const sandbox = createSandbox()
  const create = (enabled_events: string[]) =>
    sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook', enabled_events })
  await create(['*'])
  await create(['customer.updated'])
  const { id } = await create(['*'])
  await sandbox.call(api.webhookEndpoints.update, { id, status: 'disabled' })
  await commit(sandbox.runtime, trigger(eventful))
  assert.equal(
    (await sandbox.events()).map(({ pending_webhooks }) => pending_webhooks),
    [1, 2, 2],
  )
})

test('the deliveries to one endpoint are due in the order of the events', async () => {
  const sandbox = createSandbox()
  const { id } = await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })
  await commit(sandbox.runtime, trigger(eventful))
  await newCustomer(sandbox)
  const due = await sandbox.store.due(`deliveries:${id}`, START, 10)
  assert.equal(
    due.map((delivery) => (delivery as { event?: string }).event),
    (await sandbox.events()).map((event) => event.id),
  )
})

test('nothing is planned for what has no event', async () => {
  const sandbox = createSandbox()
  await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })
  await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/other' })
  assert.equal((await sandbox.snapshot()).records.webhook_deliveries, [])
})

test.run()
