import { api } from '../../src/api/api.ts'
import type { StoredObject } from '../../src/domain/core/changes.ts'
import type { Event } from '../../src/domain/events/events.ts'
import { createRequestLog } from '../../src/domain/requests/request-logs.ts'
import { indexContents } from '../../src/store/memory/index-contents.ts'
import { createMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Store, StoreContents, StoreReader } from '../../src/store/port/store.ts'
import { invoiceIn, saveCard, subscribe } from '../support/billing.ts'
import { createClock, createCustomerOn } from '../support/clocks.ts'
import { createMissing, type ObjectIds } from '../support/example-objects.ts'
import { newCustomer } from '../support/samples.ts'
import { createSandbox, type Sandbox, START } from '../support/sandbox.ts'

/** The number of objects of each kind, for example of live subscriptions of the customer. */
const CROWD = 200

/** The metadata of the largest objects. */
export const LARGE_METADATA = Object.fromEntries(
  Array.from({ length: 50 }, (_, at) => [`key_${at}`.padEnd(40, 'x'), 'v'.repeat(500)]),
)

/** The contents of a sandbox with many objects of each kind, and the ids of the objects that were copied. */
export interface Crowd {
  readonly contents: StoreContents
  readonly ids: ObjectIds
}

/** Creates one object of each kind, with large metadata, and copies each of them many times. */
export async function createCrowd(): Promise<Crowd> {
  const sandbox = createSandbox({ store: createMemoryStore() })
  const ids = await createObjects(sandbox)
  const created = await sandbox.store.capture()
  await sandbox.store.transact(async () => ({
    result: null,
    writes: Object.values(created.records)
      .flatMap(copiesOf)
      .map((put) => ({ put })),
    events: [],
  }))
  return { contents: await sandbox.store.capture(), ids }
}

async function createObjects(sandbox: Sandbox): Promise<ObjectIds> {
  const { id: customer } = await newCustomer(sandbox)
  await sandbox.call(api.customers.update, { id: customer, metadata: LARGE_METADATA })
  const endpoint = await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/' })
  const card = await saveCard(sandbox, customer, 'visa')
  const subscription = await subscribe(sandbox, { customer, interval: 'day', metadata: LARGE_METADATA })
  const owed = await subscribe(sandbox, { customer, collection_method: 'send_invoice' })
  const invoice = await invoiceIn(sandbox, owed.id, ['open'])
  const payment = await sandbox.call(api.payments.create, { customer, amount: 5000, currency: 'eur' })
  const clock = await createClock(sandbox)
  const onClock = await createCustomerOn(sandbox, clock.id)
  await subscribe(sandbox, { customer: onClock, interval: 'day' })
  const delivery = (await sandbox.call(api.webhookDeliveries.list, { limit: 1 })).data[0]
  const log = createRequestLog({
    ...{ id: 'req_Log', created: START, method: 'GET', path: '/v1/customers', status: 200, duration_ms: 1 },
    ...{ error: null, api_key: null, replay_of: null, fault: null },
  })
  await sandbox.store.transact(async () => ({ result: null, writes: [{ put: log }], events: [] }))
  return createMissing(sandbox.call, {
    customers: customer,
    payments: payment.id,
    payment_methods: card.id,
    subscriptions: subscription.id,
    invoices: invoice.id,
    test_clocks: clock.id,
    events: delivery?.event ?? '',
    webhook_endpoints: endpoint.id,
    webhook_deliveries: delivery?.id ?? '',
    request_logs: log.id,
  })
}

/** The largest numbers of objects that the API allows. */
const LIMITS: Readonly<Record<string, number>> = {
  webhook_endpoint: 100,
  fault: 100,
  sandbox: 5,
  test_clock: 5,
}

function copiesOf(records: readonly StoredObject[]): readonly StoredObject[] {
  return records.flatMap((record) => {
    const count = Math.floor((LIMITS[record.object] ?? CROWD) / Math.min(records.length, 20))
    return Array.from({ length: Math.max(0, count - 1) }, (_, at) => copyOf(record, at + 1))
  })
}

function copyOf(record: StoredObject, at: number): StoredObject {
  const id = `${record.id}x${at}`
  if (record.object !== 'event') return { ...record, id }
  const event = record as Event
  const copy: Event = { ...event, id, sequence: event.sequence + 100_000 * at }
  return copy
}

/** Counts the records that requests read and write, in total and as the maximum between two turns of the event loop. */
export interface Meter {
  yields: number
  total: number
  slice: number
  most: number
}

/** Opens a sandbox with the contents of a crowd, and a meter that counts each record read, listed or written. */
export async function openMetered({ contents }: Crowd): Promise<{ sandbox: Sandbox; meter: Meter }> {
  const meter: Meter = { yields: 0, total: 0, slice: 0, most: 0 }
  const yieldToEventLoop = async () => {
    meter.yields += 1
    meter.slice = 0
  }
  const scheduling = { yieldToEventLoop, monotonicMs: () => 0 }
  const memory = createMemoryStore(await indexContents(contents, scheduling), scheduling)
  const sandbox = createSandbox({ store: meteredStore(memory, meter), idsFrom: 1_000_000 })
  return { sandbox: { ...sandbox, runtime: { ...sandbox.runtime, yieldToEventLoop } }, meter }
}

function meteredStore(store: Store, meter: Meter): Store {
  const count = (records: number) => {
    meter.total += records
    meter.slice += records
    meter.most = Math.max(meter.most, meter.slice)
  }
  const metered = (reader: StoreReader): Pick<StoreReader, 'get' | 'list' | 'listDue' | 'listOldest'> => ({
    get(collection, id) {
      count(1)
      return reader.get(collection, id)
    },
    async list(collection, query) {
      const page = await reader.list(collection, query)
      count(page.data.length)
      return page
    },
    async listDue(queue, until, limit) {
      const due = await reader.listDue(queue, until, limit)
      count(due.length)
      return due
    },
    async listOldest(collection, limit, after) {
      const oldest = await reader.listOldest(collection, limit, after)
      count(oldest.length)
      return oldest
    },
  })
  return {
    ...store,
    ...metered(store),
    transact: (work) =>
      store.transact(async (reader) => {
        const commit = await work({ ...reader, ...metered(reader) })
        count(commit.writes.length + commit.events.length)
        return commit
      }),
  }
}
