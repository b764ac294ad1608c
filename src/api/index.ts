import type { AnyOperation } from './core/operation.ts'
import { apiKeys } from './operations/api-keys.ts'
import { checkoutSessions } from './operations/checkout-sessions.ts'
import { customers } from './operations/customers.ts'
import { events } from './operations/events.ts'
import { invoices } from './operations/invoices.ts'
import { paymentMethods } from './operations/payment-methods.ts'
import { paymentSessions } from './operations/payment-sessions.ts'
import { payments } from './operations/payments.ts'
import { refunds } from './operations/refunds.ts'
import { requestLogs } from './operations/request-logs.ts'
import { subscriptions } from './operations/subscriptions.ts'
import { testClocks } from './operations/test-clocks.ts'
import { webhookDeliveries } from './operations/webhook-deliveries.ts'
import { webhookEndpoints } from './operations/webhook-endpoints.ts'

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
