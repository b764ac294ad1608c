import type { IdPrefix } from '../../domain/changes.ts'
import type { CheckoutSessionFields } from '../../domain/checkout-sessions.ts'
import type { CustomerFields } from '../../domain/customers.ts'
import type { PaymentSessionFields } from '../../domain/payment-sessions.ts'
import type { RefundFields } from '../../domain/refunds.ts'
import type { WebhookEndpointFields } from '../../domain/webhook-endpoints.ts'

/** One id of each kind, so that the examples of the reference name each other. */
export const EXAMPLE_IDS: Readonly<Record<IdPrefix, string>> = {
  cus_: 'cus_9s6XGDTqBxzVbPRyfNQG1aB2',
  cks_: 'cks_Qh3vNwZk8LrT5mYpJc7XdFa0',
  py_sess_: 'py_sess_R7tVb2KxMq4WnLzY9sHcDf63',
  py_: 'py_Jm5QxZr8TkWc3NvLb6YdHs01',
  pm_: 'pm_Xw2FzKp9RnTb7VqMc4LdYh35',
  sub_: 'sub_Lk8NcVx4ZqWm6RtBp1YdHf70',
  si_: 'si_Tz6RmQb3XkVn9WcLp2YdHf84',
  in_: 'in_Vb4XkTz7RnQm1WcLp8YdHs29',
  il_: 'il_Wc9VnXk2TzRm5QbLp3YdHf46',
  re_: 're_Nv7LpWc4XkTz8RmQb1YdHs52',
  clock_: 'clock_Qb5RmTz1XkVn6WcLp9YdHf38',
  evt_: 'evt_Rm3QbXk8TzVn2WcLp7YdHs61',
  we_: 'we_Xk6TzRm9QbVn4WcLp5YdHf17',
  whd_: 'whd_Tz2XkVn5RmQb7WcLp4YdHs93',
  key_: 'key_Vn8WcLp3XkTz6RmQb2YdHf75',
  req_: 'req_Lp1YdHs4XkTz7RmQb9VnWc86',
}

/** When the examples happen: 2026-01-01 in UTC, in Unix seconds. */
export const EXAMPLE_NOW = 1_767_225_600

/** What somebody might send to create a customer. */
export const EXAMPLE_CUSTOMER: CustomerFields = { email: 'ada@example.com', name: 'Ada Lovelace' }

/** What somebody might send to set up a monthly rent. */
export const EXAMPLE_CHECKOUT = {
  currency: 'eur',
  customer: EXAMPLE_IDS.cus_,
  payment_method_types: ['card'],
  subscription_data: {
    collection_method: 'charge_automatically',
    interval: 'month',
    items: [{ description: 'Monthly rent', type: 'rent', price_data: { amount: 100_000, tax_percent: 20 } }],
  },
  return_url: 'https://example.com/return',
} as const satisfies CheckoutSessionFields

/** What somebody might send to collect one payment. */
export const EXAMPLE_PAYMENT = {
  amount: 1250,
  currency: 'eur',
  customer: EXAMPLE_IDS.cus_,
  payment_method_types: ['card'],
  return_url: 'https://example.com/return',
  description: 'Two coffees',
} as const satisfies PaymentSessionFields

/** What somebody might send to give a part of a payment back. */
export const EXAMPLE_REFUND: RefundFields = { amount: 500, reason: 'requested_by_customer' }

/** What somebody might send to be told of invoices. */
export const EXAMPLE_ENDPOINT: WebhookEndpointFields = {
  url: 'http://127.0.0.1:3000/webhooks',
  enabled_events: ['invoice.*', 'checkout_session.completed'],
}

/** What somebody might send to let a script look up payments and nothing else. */
export const EXAMPLE_KEY = { name: 'Reports', scopes: ['payments:read', 'refunds:read'] }

/** What somebody might send to have a time of their own. */
export const EXAMPLE_CLOCK = { frozen_time: EXAMPLE_NOW, name: 'Renewals' }

/** Since when somebody might want what an endpoint missed. */
export const EXAMPLE_SINCE = EXAMPLE_NOW - 3600
