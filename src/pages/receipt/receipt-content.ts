import type { Invoice } from '../../domain/billing/invoices.ts'
import { groupTaxesByRate } from '../../domain/core/money.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import type { CheckoutSession } from '../../domain/sessions/checkout-sessions.ts'
import { toDiscountedLine } from '../../domain/sessions/item-amounts.ts'
import type { CurrencyAndPeriod, OrderSums, ReceiptLine } from '../view/order-lines.ts'

/** The lines and sums of a receipt; amounts in minor units. */
export interface ReceiptContent extends CurrencyAndPeriod, OrderSums {
  readonly description: string | null
  /** The billing interval of the total, such as `every month`; null for an invoice or a payment. */
  readonly every: string | null
  readonly lines: readonly ReceiptLine[]
  /** The customer credit that the invoice uses; negative for credit that the invoice creates. */
  readonly credit: number
  readonly total: number
}

/** Returns the order of an invoice. */
export function createInvoiceReceiptContent(invoice: Invoice): ReceiptContent {
  // Voiding an invoice returns the credit to the customer.
  return { ...invoice, every: null, credit: invoice.status === 'void' ? 0 : invoice.balance_applied }
}

/**
 * Returns the order of one period of a subscription that is not invoiced yet; `every` is the billing interval, such as
 * `every month`.
 */
export function createSessionReceiptContent(session: CheckoutSession, every: string): ReceiptContent {
  const { currency, description, amount_subtotal, amount_discount, amount_total, subscription_data } = session
  const lines = subscription_data.items.map((item) => ({
    description: item.description,
    type: item.type,
    quantity: item.quantity,
    unit_amount: item.price_data.amount,
    amount: item.amount_subtotal,
    tax_percent: item.price_data.tax_percent,
    proration: false,
    period: null,
  }))
  return {
    ...{ currency, description, lines, period_start: null, period_end: null },
    // The discount may end before the next period, so the total has no interval.
    every: amount_discount > 0 ? null : every,
    subtotal: amount_subtotal,
    ...{ discount: null, discount_amount: amount_discount },
    taxes: groupTaxesByRate(subscription_data.items.map(toDiscountedLine)),
    credit: 0,
    total: amount_total,
  }
}

/** Returns the order of a payment without an invoice: one line if it has a description. `amount` is the collected amount. */
export function createPaymentReceiptContent(
  { currency, description }: Pick<Payment, 'currency' | 'description'>,
  amount: number,
): ReceiptContent {
  const line = {
    ...{ description, type: 'other', quantity: 1, unit_amount: amount, amount, tax_percent: 0 },
    ...{ proration: false, period: null },
  }
  return {
    ...{ currency, description, every: null, period_start: null, period_end: null },
    lines: description === null ? [] : [line],
    subtotal: amount,
    ...{ discount: null, discount_amount: 0 },
    taxes: [],
    credit: 0,
    total: amount,
  }
}
