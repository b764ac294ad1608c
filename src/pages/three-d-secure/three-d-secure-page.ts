import type { Notice } from '../forms/card-form.ts'
import { brandName } from '../markup/card-brands.ts'
import { type HtmlValue, html } from '../markup/html.ts'
import { mark } from '../markup/status-icons.ts'
import { askedBy, facts, layout } from '../view/layout.ts'
import type { View } from '../view/view.ts'

/** What the buyer's bank asks to be confirmed. */
export interface Challenge {
  /** The payment's id, or the session's when the card is only saved. */
  readonly target: string
  /** In minor units; 0 when the card is only saved. */
  readonly amount: number
  readonly currency: string
  readonly card: { readonly brand: string; readonly last4: string }
  /** Who asks to be paid, where the head of the page does not say it. */
  readonly asker: string | null
  /** What it is for: names and values. */
  readonly details: readonly (readonly [name: string, value: HtmlValue])[]
  /** Where another card can be given instead, as a path. */
  readonly otherCard: string
}

/** The page that stands in for the bank's own: approve or reject. */
export function threeDSecurePage(
  { target, amount, currency, card, asker, details, otherCard }: Challenge,
  { token, notice }: { readonly token: string; readonly notice: Notice | null },
  view: View,
): string {
  const { say, money } = view.language
  const isSaving = amount === 0
  const brand = brandName(card.brand) ?? say('card')
  const main = html`<section class="panel outcome" aria-labelledby="title">
${mark('shield')}
<h1 id="title">${say(isSaving ? 'confirmCard' : 'confirmPayment')}</h1>
${askedBy(asker, view.language)}
<p>${say(isSaving ? 'bankAsksSaving' : 'bankAsksPaying')}</p>
${facts([
  [say('amountToday'), money(amount, currency)],
  [say('card'), say('cardEnding', { brand, last4: card.last4 })],
  ...details,
])}
${notice && html`<div class="notice" id="notice" role="alert"><strong>${notice.title}</strong> ${notice.text}</div>`}
<form method="post" action="${view.links.threeDSecure(target)}" data-working="${say('working')}">
<input type="hidden" name="form_token" autocomplete="off" value="${token}">
<button type="submit" name="answer" value="approve">${say('approve')}</button>
<button type="submit" name="answer" value="reject" class="quiet">${say('reject')}</button>
</form>
<p class="aside"><a href="${otherCard}">${say('useAnotherCard')}</a></p>
</section>
<p class="aside stand-in">${say('standIn')}</p>`
  return layout({ title: say('confirmWithBank'), main, shape: 'narrow', hasForm: true }, view)
}
