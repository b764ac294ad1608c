import { apiKeys } from './api-keys.ts'
import { checkoutSessions } from './checkout-sessions.ts'
import { customers } from './customers.ts'
import { events } from './events.ts'
import { invoices } from './invoices.ts'
import type { AnyOperation } from './operation.ts'
import { paymentMethods } from './payment-methods.ts'
import { paymentSessions } from './payment-sessions.ts'
import { payments } from './payments.ts'
import { refunds } from './refunds.ts'
import { requestLogs } from './request-logs.ts'
import { subscriptions } from './subscriptions.ts'
import { testClocks } from './test-clocks.ts'
import { webhookDeliveries } from './webhook-deliveries.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

/** The whole API: every operation of every resource, by the name that commands and clients use. */
export const api = {
  customers,
  checkoutSessions,
  paymentSessions,
  payments,
  paymentMethods,
  subscriptions,
  invoices,
  refunds,
  testClocks,
  events,
  webhookEndpoints,
  webhookDeliveries,
  requestLogs,
  apiKeys,
}

/** Every operation with its name, such as `customers.create`. */
export const operations: readonly { readonly name: string; readonly operation: AnyOperation }[] =
  Object.entries(api).flatMap(([resource, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ name: `${resource}.${verb}`, operation })),
  )
