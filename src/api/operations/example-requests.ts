import type { InvoiceItemParams } from '../../domain/billing/invoice-items.ts'
import type { RefundParams } from '../../domain/payments/refunds.ts'
import type { CheckoutSessionParams } from '../../domain/sessions/checkout-sessions.ts'
import type { CouponParams } from '../../domain/sessions/coupons.ts'
import type { PaymentSessionParams } from '../../domain/sessions/payment-sessions.ts'
import { RESOURCES, type ResourceName } from '../resources/catalog.ts'

/** Returns the only example id with a prefix, so that the examples of the reference refer to each other. */
export function getExampleId(prefix: string): string {
  return `${prefix}9s6XGDTqBxzVbPRyfNQG1aB2`
}

/** The example id of each resource. */
export const EXAMPLE_IDS = Object.fromEntries(
  RESOURCES.map(({ name, idPrefix }) => [name, getExampleId(idPrefix)]),
) as Readonly<Record<ResourceName, string>>

/** The time of the examples: 2026-01-01 UTC in Unix seconds. */
export const EXAMPLE_NOW = 1_767_225_600

/** Example parameters of `checkoutSessions.create`. */
export const EXAMPLE_CHECKOUT_PARAMS = {
  currency: 'eur',
  customer: EXAMPLE_IDS.customers,
  payment_method_types: ['card'],
  subscription_data: {
    collection_method: 'charge_automatically',
    interval: 'month',
    items: [{ description: 'Monthly rent', type: 'rent', price_data: { amount: 100_000, tax_percent: 20 } }],
  },
  return_url: 'https://example.com/return',
} as const satisfies CheckoutSessionParams

/** Example parameters of `paymentSessions.create`. */
export const EXAMPLE_PAYMENT_SESSION_PARAMS = {
  amount: 1250,
  currency: 'eur',
  customer: EXAMPLE_IDS.customers,
  payment_method_types: ['card'],
  return_url: 'https://example.com/return',
  locale: 'de',
  description: 'Two coffees',
} as const satisfies PaymentSessionParams

/** Example parameters of `coupons.create`. */
export const EXAMPLE_COUPON_PARAMS: CouponParams = {
  name: 'Spring offer',
  percent_off: 25,
  duration: 'repeating',
  duration_in_months: 3,
}

/** Example parameters of `refunds.create`, without the payment. */
export const EXAMPLE_REFUND_PARAMS: RefundParams = { amount: 500, reason: 'requested_by_customer' }

/** Example parameters of `invoiceItems.create`, without the subscription. */
export const EXAMPLE_INVOICE_ITEM_PARAMS: InvoiceItemParams = {
  description: 'Replacement key',
  unit_amount: 2500,
  quantity: 2,
  tax_percent: 20,
}
