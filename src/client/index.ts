import { api } from '../api/index.ts'

export type { List } from '../api/resources/lists.ts'
export type { ApiKey } from '../domain/api-keys.ts'
export type { CheckoutSession } from '../domain/checkout-sessions.ts'
export type { Customer, DeletedCustomer } from '../domain/customers.ts'
export type { EventType } from '../domain/event-types.ts'
export type { Event } from '../domain/events.ts'
export type { Invoice } from '../domain/invoices.ts'
export type { PaymentMethod } from '../domain/payment-methods.ts'
export type { PaymentSession } from '../domain/payment-sessions.ts'
export type { Payment } from '../domain/payments.ts'
export type { Refund } from '../domain/refunds.ts'
export type { RequestLog } from '../domain/request-logs.ts'
export type { Subscription } from '../domain/subscriptions.ts'
export type { TestClock } from '../domain/test-clocks.ts'
export type { WebhookDelivery } from '../domain/webhook-deliveries.ts'
export type { WebhookEndpoint } from '../domain/webhook-endpoints.ts'
export { ApiError, type ApiErrorDetails } from './api-error.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export { ConnectionError, type ConnectionErrorCode } from './connection-error.ts'

/** The operations of the API by resource, to be called with a client: `client.call(customers.create, { email })`. */
export const {
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
} = api
