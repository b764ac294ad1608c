import type { Collection, Collections } from '../../store/port/collections.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import { apiKey } from './api-keys.ts'
import { checkoutSession } from './checkout-sessions.ts'
import { customer, deletedCustomer } from './customers.ts'
import { event } from './events.ts'
import { type Exactly, either, type Fields } from './fields.ts'
import { invoice } from './invoices.ts'
import { type List, listOf } from './lists.ts'
import { paymentMethod } from './payment-methods.ts'
import { paymentSession } from './payment-sessions.ts'
import { payment } from './payments.ts'
import { refund } from './refunds.ts'
import { requestLog } from './request-logs.ts'
import { subscription } from './subscriptions.ts'
import { testClock } from './test-clocks.ts'
import { webhookDelivery } from './webhook-deliveries.ts'
import { webhookEndpoint } from './webhook-endpoints.ts'

/** What a list of a collection shows: a deleted object is in none. */
export type Live<C extends Collection> = Exclude<Collections[C], { readonly deleted: true }>

const RESOURCES = {
  customers: customer,
  checkout_sessions: checkoutSession,
  payment_sessions: paymentSession,
  payment_methods: paymentMethod,
  subscriptions: subscription,
  invoices: invoice,
  payments: payment,
  refunds: refund,
  test_clocks: testClock,
  events: event,
  webhook_endpoints: webhookEndpoint,
  webhook_deliveries: webhookDelivery,
  request_logs: requestLog,
  api_keys: apiKey,
} as const satisfies { readonly [C in Collection]?: Fields<Live<C>> }

/** The collections whose objects the API shows. */
export type Shown = keyof typeof RESOURCES

const LISTS = Object.fromEntries(
  Object.entries(RESOURCES).map(([collection, item]) => [collection, listOf(item as Fields<unknown>)]),
) as unknown as { readonly [C in Shown]: Exactly<List<Live<C>>> }

/** The resource of a collection, by a name that must be one. */
export function resourceOf(collection: string): ObjectSchema<unknown> {
  const found = new Map<string, ObjectSchema<unknown>>(Object.entries(RESOURCES)).get(collection)
  if (found === undefined) throw new Error(`no resource is called '${collection}'`)
  return found
}

/** The page of a list of a collection. */
export function listAnswer<C extends Shown>(collection: C): Exactly<List<Live<C>>> {
  return LISTS[collection]
}

/** An object of a collection; a deleted customer can still be retrieved. */
export function objectAnswer<C extends Shown>(collection: C): Exactly<Collections[C]> {
  const shown = collection === 'customers' ? either(customer, deletedCustomer) : RESOURCES[collection]
  return shown as unknown as Exactly<Collections[C]>
}
