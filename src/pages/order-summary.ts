import type { CheckoutSession, CheckoutSessionItem } from '../domain/checkout-sessions.ts'
import type { Customer } from '../domain/customers.ts'
import { taxesByRate } from '../domain/money.ts'
import type { PaymentSession } from '../domain/payment-sessions.ts'
import { formatMoney } from './amounts.ts'
import { type Html, html } from './html.ts'
import { isolated, shortened } from './layout.ts'
import type { Terms } from './terms.ts'

const LONG_AMOUNT_CHARACTERS = 12
const LONG_TEXT_CHARACTERS = 240

/** What a subscription bills each period, its taxes, what is due today and what is charged when. */
export function subscriptionSummary(session: CheckoutSession, customer: Customer, terms: Terms): Html {
  const { currency } = session
  return html`<section class="summary" aria-labelledby="price">
<p class="eyebrow">Your subscription</p>
${price(formatMoney(session.amount_total, currency), terms.every)}
${saysMoreThanItems(session) && about(session.description)}
<ul class="lines">
${session.subscription_data.items.map((item) => itemLine(item, { session, every: terms.every }))}
${session.amount_tax > 0 && taxLines(session)}
<li class="due"><span>${terms.dueLabel}</span><span>${formatMoney(terms.dueToday, currency)}</span></li>
</ul>
<p class="schedule">${terms.schedule}</p>
${buyer(customer)}
</section>`
}

/** What a one-off payment is for. */
export function paymentSummary(session: PaymentSession, customer: Customer): Html {
  return html`<section class="summary" aria-labelledby="price">
<p class="eyebrow">To pay</p>
${price(formatMoney(session.amount, session.currency), null)}
${session.description !== null && about(session.description)}
<p class="schedule">Paid once. Your card is not saved.</p>
${buyer(customer)}
</section>`
}

function price(amount: string, every: string | null): Html {
  const size = amount.length > LONG_AMOUNT_CHARACTERS ? 'price long' : 'price'
  return html`<h1 class="${size}" id="price">${amount}${every && html` <small>${every}</small>`}</h1>`
}

function saysMoreThanItems({ description, subscription_data: { items } }: CheckoutSession): boolean {
  const shown = items.map(itemName).join(', ')
  return !shown.startsWith(description)
}

function itemName({ description, type }: CheckoutSessionItem): string {
  if (description !== null) return description
  const label = type === 'other' ? 'item' : type.replaceAll('_', ' ')
  return label.charAt(0).toUpperCase() + label.slice(1)
}

function itemLine(
  item: CheckoutSessionItem,
  { session, every }: { readonly session: CheckoutSession; readonly every: string },
): Html {
  const percent = item.price_data.tax_percent
  const tax = percent > 0 ? `, plus ${percent}% tax` : ''
  const price = formatMoney(item.amount_subtotal, session.currency)
  return html`<li><span>${isolated(itemName(item))}<small>${every}${tax}</small></span><span>${price}</span></li>
`
}

function taxLines({ subscription_data, amount_subtotal, currency }: CheckoutSession): Html {
  const taxes = taxesByRate(subscription_data.items.map((item) => item.price_data))
  const lines = taxes
    .filter((tax) => tax.amount > 0)
    .map(
      (tax) =>
        html`<li class="tax"><span>Tax ${tax.tax_percent}%</span><span>${formatMoney(tax.amount, currency)}</span></li>`,
    )
  return html`<li class="sum"><span>Subtotal</span><span>${formatMoney(amount_subtotal, currency)}</span></li>${lines}`
}

/** Text of a merchant, folded away where it is long. */
function about(text: string): Html {
  if (text.length <= LONG_TEXT_CHARACTERS) return html`<p class="about">${isolated(text)}</p>`
  return html`<details class="about"><summary>${shortened(text)}</summary><p>${isolated(text)}</p></details>`
}

function buyer({ name, email }: Customer): Html {
  return html`<p class="for">For ${name !== null && [isolated(name), ', ']}${isolated(email)}</p>`
}
