import { api } from '../../src/api/api.ts'
import type { StoredObject } from '../../src/domain/changes.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import type { Collection } from '../../src/store/port/collections.ts'
import { invoicesOf, subscribe, toNextPeriod } from '../support/billing.ts'
import { newPaymentSession } from '../support/samples.ts'
import { createSandbox, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/older-records')

/** The fields that each object of version 0.1.0 lacks, also those inside of it. */
const NEWER = {
  customers: ['balances'],
  checkout_sessions: [
    ...['payment_method_collection', 'trial_days', 'trial_end', 'trial_settings', 'quantity'],
    ...['branding', 'locale'],
  ],
  payment_sessions: ['save_payment_method', 'payment_method', 'branding', 'locale'],
  payments: ['origin', 'description', 'wallet'],
  payment_methods: ['wallet'],
  subscriptions: ['quantity', 'trial_start', 'trial_end', 'trial_settings', 'pause_collection'],
  invoices: [
    ...['quantity', 'unit_amount', 'proration', 'invoice_item'],
    ...['starting_balance', 'ending_balance', 'balance_applied'],
  ],
} as const

type OlderCollection = keyof typeof NEWER
const COLLECTIONS = Object.keys(NEWER) as OlderCollection[]

/** Returns a record as version 0.1.0 stored it. */
function toOlder<T extends StoredObject>(collection: OlderCollection, record: T): T {
  const names = new Set<string>(NEWER[collection])
  const withoutNewer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withoutNewer)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !names.has(name))
        .map(([name, inner]) => [name, withoutNewer(inner)]),
    )
  }
  return withoutNewer(record) as T
}

/** Stores every record and event as version 0.1.0 did. */
async function makeOlder({ store }: Sandbox): Promise<void> {
  const older = async (collection: OlderCollection) =>
    (await store.listOldest(collection, 100)).map((put) => ({ put: toOlder(collection, put) }))
  const events = (await store.listOldest('events', 100)).map((event) => {
    const { object } = event.data
    const collection = `${object.object}s` as OlderCollection
    if (!COLLECTIONS.includes(collection)) return { put: event }
    return { put: { ...event, data: { ...event.data, object: toOlder(collection, object) } } }
  })
  const writes = [...(await Promise.all(COLLECTIONS.map(older))).flat(), ...events]
  await store.transact(async () => ({ result: null, writes, events: [] }))
}

const RETRIEVALS = {
  customers: api.customers,
  checkout_sessions: api.checkoutSessions,
  payment_sessions: api.paymentSessions,
  payments: api.payments,
  payment_methods: api.paymentMethods,
  subscriptions: api.subscriptions,
  invoices: api.invoices,
} as const

/** Creates an object of every kind that has newer fields. */
async function createObjects(sandbox: Sandbox) {
  const subscription = await subscribe(sandbox)
  const { customer } = subscription
  const session = await newPaymentSession(sandbox, { customer })
  await sandbox.call(api.paymentSessions.complete, { id: session.id, test_card: 'visa' })
  return subscription
}

async function recordsOf({ store }: Sandbox, collection: Collection): Promise<readonly StoredObject[]> {
  return store.listOldest(collection, 100)
}

for (const collection of COLLECTIONS) {
  test(`responses have the newer fields of ${collection} that version 0.1.0 stored`, async () => {
    const sandbox = createSandbox()
    const { customer } = await createObjects(sandbox)
    const records = await recordsOf(sandbox, collection)
    await makeOlder(sandbox)
    assert.is.not(JSON.stringify(await recordsOf(sandbox, collection)), JSON.stringify(records))
    const { retrieve } = RETRIEVALS[collection]
    for (const record of records) assert.equal(await sandbox.call(retrieve, { id: record.id }), record)
    const { data } =
      collection === 'payment_methods'
        ? await sandbox.call(api.paymentMethods.listOfCustomer, { id: customer })
        : await sandbox.call(RETRIEVALS[collection].list, {})
    assert.equal([...data].reverse(), records)
  })
}

test('changes of objects of version 0.1.0 add the newer fields to them and to their events', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await createObjects(sandbox)
  const { length } = await sandbox.events()
  await makeOlder(sandbox)
  const updated = await sandbox.call(api.customers.update, { id: customer, name: 'Ada' })
  assert.equal(updated.balances, {})
  await toNextPeriod(sandbox, id)
  await sandbox.call(api.subscriptions.cancel, { id, prorate: true, invoice_now: true })
  const [, renewal] = await invoicesOf(sandbox, id)
  await sandbox.call(api.refunds.create, { payment: renewal?.latest_payment ?? '' })
  const events = (await sandbox.store.listOldest('events', 100)).slice(length)
  const renamed = events.find(({ type }) => type === 'customer.updated')
  assert.equal(renamed?.data, { object: updated, previous_attributes: { name: null } })
  assert.ok(events.some(({ type }) => type === 'subscription.renewed'))
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test.run()
