import type { CheckoutSession, CheckoutSessionItem } from '../../domain/checkout-sessions.ts'
import type { Customer } from '../../domain/customers.ts'
import { taxesByRate } from '../../domain/money.ts'
import type { PaymentSession } from '../../domain/payment-sessions.ts'
import type { Language } from '../languages/language.ts'
import { type Html, html } from '../markup/html.ts'
import { askedBy, isolated, shortened } from '../view/layout.ts'
import type { AnySession } from '../view/links.ts'
import type { Terms } from '../view/terms.ts'

const LONG_AMOUNT_CHARACTERS = 12
const LONG_TEXT_CHARACTERS = 240

/** An open session, who buys, who asks and how to say it. */
export interface Order<S extends AnySession> {
  readonly session: S
  readonly customer: Customer
  /** Who asks to be paid, where the head of the page does not say it. */
  readonly asker: string | null
  readonly language: Language
}

/** What a subscription bills each period, its taxes, what is due today and what is charged when. */
export function subscriptionSummary(order: Order<CheckoutSession>, terms: Terms): Html {
  const { session, language } = order
  const { say, money } = language
  return html`<section class="summary" aria-labelledby="price">
<p class="eyebrow">${say('yourSubscription')}</p>
${price(money(session.amount_total, session.currency), terms.every)}
${askedBy(order.asker, language)}
${saysMoreThanItems(session, language) && about(session.description)}
<ul class="lines">
${session.subscription_data.items.map((item) => itemLine(item, order, terms.every))}
${session.amount_tax > 0 && taxLines(order)}
<li class="due"><span>${terms.dueLabel}</span><span>${money(terms.dueToday, session.currency)}</span></li>
</ul>
<p class="schedule">${terms.schedule}</p>
${buyer(order)}
</section>`
}

/** What a one-off payment is for. */
export function paymentSummary(order: Order<PaymentSession>): Html {
  const { session, language } = order
  return html`<section class="summary" aria-labelledby="price">
<p class="eyebrow">${language.say('toPay')}</p>
${price(language.money(session.amount, session.currency), null)}
${askedBy(order.asker, language)}
${session.description !== null && about(session.description)}
<p class="schedule">${language.say('paidOnce')}</p>
${buyer(order)}
</section>`
}

/** An amount in large figures, with how often it is asked for. */
export function price(amount: string, every: string | null): Html {
  const size = amount.length > LONG_AMOUNT_CHARACTERS ? 'price long' : 'price'
  return html`<h1 class="${size}" id="price">${amount}${every && html` <small>${every}</small>`}</h1>`
}

function saysMoreThanItems({ description, subscription_data }: CheckoutSession, language: Language): boolean {
  const shown = subscription_data.items.map((item) => itemName(item, language)).join(', ')
  return !shown.startsWith(description)
}

/** What an item is called: its description, or else its type. */
export function itemName(
  { description, type }: Pick<CheckoutSessionItem, 'description' | 'type'>,
  { say }: Language,
): string {
  if (description !== null) return description
  if (type === 'other') return say('item')
  const label = type.replaceAll('_', ' ')
  return label.charAt(0).toUpperCase() + label.slice(1)
}

function itemLine(
  item: CheckoutSessionItem,
  { session, language }: Order<CheckoutSession>,
  every: string,
): Html {
  const rate = item.price_data.tax_percent
  const terms = rate > 0 ? language.say('itemTaxed', { every, percent: language.percent(rate) }) : every
  const amount = language.money(item.amount_subtotal, session.currency)
  return html`<li><span>${isolated(itemName(item, language))}<small>${terms}</small></span><span>${amount}</span></li>
`
}

function taxLines({ session, language }: Order<CheckoutSession>): Html {
  const taxes = taxesByRate(session.subscription_data.items.map((item) => item.price_data))
  return taxBreakdown({ subtotal: session.amount_subtotal, taxes, currency: session.currency }, language)
}

/** The sum before taxes and each tax, in minor units. */
export function taxBreakdown(
  sums: {
    readonly subtotal: number
    readonly taxes: readonly { readonly tax_percent: number; readonly amount: number }[]
    readonly currency: string
  },
  { say, percent, money }: Language,
): Html {
  const lines = sums.taxes
    .filter((tax) => tax.amount > 0)
    .map(
      (tax) =>
        html`<li class="tax"><span>${say('tax', { percent: percent(tax.tax_percent) })}</span><span>${money(tax.amount, sums.currency)}</span></li>`,
    )
  return html`<li class="sum"><span>${say('subtotal')}</span><span>${money(sums.subtotal, sums.currency)}</span></li>${lines}`
}

/** Text of a merchant, folded away where it is long. */
export function about(text: string): Html {
  if (text.length <= LONG_TEXT_CHARACTERS) return html`<p class="about">${isolated(text)}</p>`
  return html`<details class="about"><summary>${shortened(text)}</summary><p>${isolated(text)}</p></details>`
}

function buyer({ customer: { name, email }, language }: Order<AnySession>): Html {
  const who = html`${name !== null && [isolated(name), ', ']}${isolated(email)}`
  return html`<p class="for">${language.phrase('forBuyer', { buyer: who })}</p>`
}
