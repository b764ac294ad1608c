import type { CompletableSession } from '../../domain/completion/hosted-session.ts'
import { groupTaxesByRate } from '../../domain/core/money.ts'
import type { Customer } from '../../domain/payments/customers.ts'
import type { CheckoutSession, CheckoutSessionItem } from '../../domain/sessions/checkout-sessions.ts'
import type { Coupon } from '../../domain/sessions/coupons.ts'
import { toDiscountedLine } from '../../domain/sessions/item-amounts.ts'
import type { PaymentSession } from '../../domain/sessions/payment-sessions.ts'
import type { Language } from '../languages/language.ts'
import { type Html, html, isolateTextDirection } from '../markup/html.ts'
import { renderCustomerContact } from '../receipt/receipt.ts'
import { renderTruncatedText } from '../view/layout.ts'
import {
  createBreakdownRows,
  createCreditRow,
  formatUnitsNote,
  getItemName,
  isDescriptionUseful,
  type OrderRow,
  renderCollapsibleLines,
  renderOrderList,
} from '../view/order-lines.ts'
import type { SubscriptionTermsTexts } from '../view/subscription-terms.ts'

const LONG_AMOUNT_CHARACTERS = 12
const LONG_TEXT_CHARACTERS = 240
/** Maximum length in characters of a description that narrow screens do not collapse. */
const FOLDED_TEXT_CHARACTERS = 48

export interface OrderSummaryOptions<S extends CompletableSession> {
  /** The session, with the discount of the promotion code that the customer entered. */
  readonly session: S
  readonly customer: Customer
  readonly language: Language
}

/** A subscription with the coupon of its discount, and the form of the promotion code. */
export interface SubscriptionSummaryOptions extends OrderSummaryOptions<CheckoutSession> {
  readonly coupon: Coupon | null
  /** The form of the promotion code; null if the customer cannot enter a code. */
  readonly codeForm: Html | null
}

/** Returns the summary of a subscription: items, discount, taxes, amount due today and payment schedule. */
export function renderSubscriptionSummary(
  order: SubscriptionSummaryOptions,
  terms: SubscriptionTermsTexts,
): Html {
  const { session, language } = order
  const { t, formatMoney } = language
  const { total } = terms
  const { items } = session.subscription_data
  const description =
    isDescriptionUseful(session.description, items, language) && renderDescriptionBlock(session.description)
  const isLong = session.description.length > FOLDED_TEXT_CHARACTERS
  return html`<section class="summary" aria-labelledby="price">
<p class="eyebrow">${t('yourSubscription')}</p>
${terms.trialPrice === null ? renderPriceHeading(total, terms.every) : renderPriceHeading(terms.trialPrice, null)}
${isLong || description}
${renderCollapsibleLines(items.length, html`${isLong && description}${orderLines(order, terms)}`, language)}
${renderOrderList([{ kind: 'due', name: terms.dueLabel, amount: formatMoney(terms.dueToday, session.currency) }])}
${terms.schedule && html`<p class="schedule">${terms.schedule}</p>`}
${order.codeForm}
${renderCustomerLine(order)}
</section>`
}

function orderLines(order: SubscriptionSummaryOptions, terms: SubscriptionTermsTexts): Html {
  const { session, language } = order
  const hasSums = session.amount_tax > 0 || session.amount_discount > 0
  return renderOrderList([
    ...session.subscription_data.items.map((item) => itemLine(item, order, terms.every)),
    ...(hasSums ? taxLines(order) : []),
    terms.creditUsed > 0 && createCreditRow(terms.creditUsed, session.currency, language),
  ])
}

/** Returns the summary of a one-time payment. */
export function renderPaymentSummary(order: OrderSummaryOptions<PaymentSession>): Html {
  const { session, language } = order
  const isHold = session.capture_method === 'manual'
  const paid = session.save_payment_method ? 'paidOnceCardSaved' : 'paidOnce'
  return html`<section class="summary" aria-labelledby="price">
<p class="eyebrow">${language.t(isHold ? 'toReserve' : 'toPay')}</p>
${renderPriceHeading(language.formatMoney(session.amount, session.currency), null)}
${session.description !== null && renderDescriptionBlock(session.description)}
<p class="schedule">${language.t(isHold ? 'onlyReserved' : paid)}</p>
${renderCustomerLine(order)}
</section>`
}

/** Returns the heading with an amount and its billing interval. */
export function renderPriceHeading(amount: string, every: string | null): Html {
  const size = amount.length > LONG_AMOUNT_CHARACTERS ? 'price long' : 'price'
  return html`<h1 class="${size}" id="price">${amount}${every && html` <small>${every}</small>`}</h1>`
}

function itemLine(
  item: CheckoutSessionItem,
  { session, language }: OrderSummaryOptions<CheckoutSession>,
  every: string,
): OrderRow {
  const rate = item.price_data.tax_percent
  const terms = rate > 0 ? language.t('itemTaxed', { every, percent: language.formatPercent(rate) }) : every
  const units = formatUnitsNote(item.quantity, item.price_data.amount, session.currency, language)
  return {
    name: isolateTextDirection(getItemName(item, language)),
    notes: [units, terms],
    amount: language.formatMoney(item.amount_subtotal, session.currency),
  }
}

function taxLines({ session, coupon, language }: SubscriptionSummaryOptions): OrderRow[] {
  const { amount_subtotal: subtotal, amount_discount: discount_amount, currency } = session
  const taxes = groupTaxesByRate(session.subscription_data.items.map(toDiscountedLine))
  const discount = {
    discount: coupon,
    discount_amount,
    discounted: coupon && describeDuration(coupon, language),
  }
  return createBreakdownRows({ subtotal, ...discount, taxes, currency }, language)
}

function describeDuration(
  { duration, duration_in_months: months }: Coupon,
  { t, plural, messages }: Language,
): string | null {
  if (duration === 'once') return t('discountOnce')
  return months === null ? null : plural(messages.discountMonths, months)
}

/** Returns the merchant's description; a long description is collapsed. */
export function renderDescriptionBlock(text: string): Html {
  if (text.length <= LONG_TEXT_CHARACTERS)
    return html`<p class="description">${isolateTextDirection(text)}</p>`
  return html`<details class="description"><summary>${renderTruncatedText(text)}</summary><p>${isolateTextDirection(text)}</p></details>`
}

/** Returns the line with the name and address of the customer. */
export function renderCustomerLine({ customer, language }: OrderSummaryOptions<CompletableSession>): Html {
  const buyer = renderCustomerContact(customer, language)
  return html`<p class="for">${language.tMarkup('forCustomer', { buyer })}</p>`
}
