import { operations } from '../../src/api/api.ts'
import { executeRequest } from '../../src/api/core/execute.ts'
import type { AnyOperation } from '../../src/api/core/operation.ts'
import { DomainError } from '../../src/domain/core/domain-error.ts'
import { exampleParams, type ObjectIds } from '../support/example-objects.ts'
import { DAY, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { createCrowd, LARGE_METADATA, type Meter, openMetered } from './crowded-sandbox.ts'

const test = suite('api/api cost')

/** The maximum number of records between two turns of the event loop. A record takes 5 to 30 µs. */
const MAX_PER_SLICE = 1500
/** The maximum number of records of a cheap request. */
const MAX_CHEAP = 3000
/** A projection runs at most 5,000 jobs. */
const MAX_YIELDS = 6000
const MAX_RESPONSE_CHARACTERS = 6 * 1024 * 1024

/**
 * Requests that close, bill or collect every object of a customer, or delete the pending items of a subscription, in one
 * transaction. The store applies its records in one slice, with a delivery of each event to each of 100 endpoints.
 */
const ONE_TRANSACTION = [
  'customers.delete',
  'subscriptions.cancel',
  'subscriptions.delete',
  'card_sessions.complete',
  'test_clocks.delete',
]
const MAX_PER_TRANSACTION = 125_000

/** The errors of requests that fail only after they have read their records. */
const ERRORS: Readonly<Record<string, string>> = {
  'payments.cancel': 'payment_unexpected_state',
  'payments.capture': 'payment_unexpected_state',
  'payments.authenticate': 'payment_unexpected_state',
  'subscriptions.resume': 'subscription_unexpected_state',
  'invoices.finalize': 'invoice_unexpected_state',
  'webhook_endpoints.create': 'webhook_endpoint_limit',
  'faults.create': 'fault_limit',
  'webhook_deliveries.send': 'webhook_delivery_unexpected_state',
}

interface Sent {
  readonly id?: string | undefined
  readonly search?: string
  readonly body?: object
}

const ITEM = {
  description: 'd'.repeat(200),
  type: 'rent',
  price_data: { amount: 100, tax_percent: 20 },
  quantity: 9,
}
const ITEMS = Array.from({ length: 20 }, () => ITEM)
const FAR = START + 3650 * DAY

/** The largest requests of operations for which `largestOf` cannot derive a request from the schema. */
const LARGEST: Readonly<Record<string, (ids: ObjectIds) => Sent>> = {
  'checkout_sessions.create': ({ customers: customer }) => ({
    body: {
      ...{ customer, currency: 'eur', metadata: LARGE_METADATA },
      subscription_data: { interval: 'day', items: ITEMS, metadata: LARGE_METADATA },
    },
  }),
  'events.list': ({ events: object_id }) => ({
    search: `limit=100&sequence[gte]=1&types[]=customer.created&types[]=invoice.paid&object_id=${object_id}`,
  }),
  'request_logs.list': () => ({ search: 'limit=100&path=*nothing*&status[gte]=100' }),
  'payment_methods.list_of_customer': ({ customers: id }) => ({ id, search: 'limit=100' }),
  'projections.retrieve': ({ subscriptions }) => ({
    search: `limit=1000&until=${FAR}&subscription=${subscriptions}`,
  }),
  'promotion_codes.create': ({ coupons: coupon }) => ({
    body: { coupon, code: 'OTHER', metadata: LARGE_METADATA },
  }),
  'refunds.create': ({ payments: payment }) => ({ body: { payment, amount: 1, metadata: LARGE_METADATA } }),
  'statistics.retrieve': () => ({ search: `interval=day&start=${START - 300 * DAY}&end=${START + DAY}` }),
  'webhook_deliveries.list': () => ({ search: 'limit=100&type=payment.succeeded&status=pending' }),
  'test_clocks.advance': ({ test_clocks: id }) => ({ id, body: { by: { interval: 'day', count: 1 } } }),
  'sandboxes.create': () => ({ body: { from: 'default' } }),
}

function largestOf(name: string, operation: AnyOperation, ids: ObjectIds): Sent {
  const [resource = ''] = name.split('.')
  const id = operation.path.includes(':id') ? ids[resource] : undefined
  const given = LARGEST[name]?.(ids)
  if (given !== undefined) return { id, ...given }
  const { properties = {} } = operation.params as { readonly properties?: object }
  if (operation.method !== 'POST') return { id, search: 'limit' in properties ? 'limit=100' : '' }
  const example = exampleParams(operation, ids)
  return { id, body: 'metadata' in properties ? { ...example, metadata: LARGE_METADATA } : example }
}

const crowd = await createCrowd()

/** Executes the largest request of an operation, and returns its error or response with the metered records. */
async function measure(name: string, operation: AnyOperation) {
  const { sandbox, meter } = await openMetered(crowd)
  Object.assign(meter, { yields: 0, total: 0, slice: 0, most: 0 } satisfies Meter)
  const { search = '', body, id } = largestOf(name, operation, crowd.ids)
  const request = { operation, id, search, body, requestId: 'req_1', isSecretKey: true }
  const response = await executeRequest(sandbox.runtime, request).catch((error: unknown) => {
    if (error instanceof DomainError) return error
    throw error
  })
  return { response, meter }
}

for (const { wireName, operation } of operations) {
  test(`the largest request of ${wireName} stays within the bounds of its cost`, async () => {
    const { response, meter } = await measure(wireName, operation)
    if (response instanceof DomainError) assert.equal(response.code, ERRORS[wireName], response.message)
    else assert.ok(response.body.length <= MAX_RESPONSE_CHARACTERS, `${response.body.length} characters`)
    assert.ok(meter.yields <= MAX_YIELDS, `${meter.yields} slices`)
    const isOne = ONE_TRANSACTION.includes(wireName)
    const most = isOne ? MAX_PER_TRANSACTION : MAX_PER_SLICE
    assert.ok(meter.most <= most, `${meter.most} records in one slice`)
    const isCheap = operation.cost !== 'expensive' && !isOne
    assert.ok(!isCheap || meter.total <= MAX_CHEAP, `${meter.total} records: declare its cost as expensive`)
  })
}

test.run()
