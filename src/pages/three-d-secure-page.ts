import { formatMoney } from './amounts.ts'
import type { Notice } from './card-form.ts'
import { type HtmlValue, html } from './html.ts'
import { facts, layout } from './layout.ts'
import type { Links } from './links.ts'
import { mark } from './marks.ts'

/** What the buyer's bank asks to be confirmed. */
export interface Challenge {
  /** The payment's id, or the session's when the card is only saved. */
  readonly target: string
  /** In minor units; 0 when the card is only saved. */
  readonly amount: number
  readonly currency: string
  readonly card: { readonly brand: string; readonly last4: string }
  /** What it is for: names and values. */
  readonly details: readonly (readonly [name: string, value: HtmlValue])[]
  /** Where another card can be given instead, as a path; null where none can. */
  readonly otherCard: string | null
}

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** The page that stands in for the bank's own: approve or reject. */
export function threeDSecurePage(
  { target, amount, currency, card, details, otherCard }: Challenge,
  { token, notice }: { readonly token: string; readonly notice: Notice | null },
  links: Links,
): string {
  const isSaving = amount === 0
  const main = html`<section class="panel outcome" aria-labelledby="title">
${mark('shield')}
<h1 id="title">${isSaving ? 'Confirm your card' : 'Confirm your payment'}</h1>
<p>Your bank asks whether it is you who is ${isSaving ? 'saving this card' : 'paying'}.</p>
${facts([
  ['Amount today', formatMoney(amount, currency)],
  ['Card', `${BRANDS[card.brand] ?? 'Card'} ending in ${card.last4}`],
  ...details,
])}
${notice && html`<div class="notice" id="notice" role="alert"><strong>${notice.title}</strong> ${notice.text}</div>`}
<form method="post" action="${links.threeDSecure(target)}">
<input type="hidden" name="form_token" autocomplete="off" value="${token}">
<button type="submit" name="answer" value="approve">Approve</button>
<button type="submit" name="answer" value="reject" class="quiet">Reject</button>
</form>
${otherCard && html`<p class="aside"><a href="${otherCard}">Use another card</a></p>`}
</section>
<p class="aside stand-in">Test mode: this page stands in for the 3-D Secure page of a bank.</p>`
  return layout({ title: 'Confirm with your bank', main, shape: 'narrow' }, links)
}
