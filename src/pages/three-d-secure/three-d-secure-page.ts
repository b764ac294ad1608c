import { findCardBrandName } from '../../presentation/card-brands.ts'
import { type FormState, renderNotice } from '../forms/card-form.ts'
import { type Html, type HtmlValue, html } from '../markup/html.ts'
import { renderStatusIcon } from '../markup/status-icons.ts'
import { renderDetailList, renderDocument } from '../view/layout.ts'
import type { PageView } from '../view/page-view.ts'

/** The content of a 3-D Secure page. */
export interface ThreeDSecurePageContent {
  /** The id of the payment, or of the session when the card is only saved. */
  readonly target: string
  /** The amount in minor units; 0 when the card is only saved. */
  readonly amount: number
  /** The currency; null when a card is saved without a currency. */
  readonly currency: string | null
  readonly card: { readonly brand: string; readonly last4: string }
  /** Rows that identify the purchase. */
  readonly details: readonly (readonly [name: string, value: HtmlValue])[]
  /** The path of the form for another card; null if no other card can be used. */
  readonly otherCardPath: string | null
}

/** Returns the simulated 3-D Secure page, with buttons to approve and to reject. */
export function renderThreeDSecurePage(
  { target, amount, currency, card, details, otherCardPath }: ThreeDSecurePageContent,
  { token, notice }: Pick<FormState, 'token' | 'notice'>,
  view: PageView,
): Html {
  const { t, formatMoney } = view.language
  const isSaving = amount === 0
  const brand = findCardBrandName(card.brand) ?? t('card')
  const main = html`<section class="panel outcome" aria-labelledby="title">
${renderStatusIcon('shield')}
<h1 id="title">${t(isSaving ? 'confirmCard' : 'confirmPayment')}</h1>
<p>${t(isSaving ? 'bankAsksSaving' : 'bankAsksPaying')}</p>
${renderDetailList([
  currency === null ? null : [t('amountToday'), formatMoney(amount, currency)],
  [t('card'), t('cardEnding', { brand, last4: card.last4 })],
  ...details,
])}
${renderNotice(notice)}
<form method="post" action="${view.links.threeDSecure(target)}">
<input type="hidden" name="form_token" autocomplete="off" value="${token}">
<button type="submit" name="answer" value="approve">${t('approve')}</button>
<button type="submit" name="answer" value="reject" class="quiet">${t('reject')}</button>
</form>
${otherCardPath && html`<p class="aside"><a href="${otherCardPath}">${t('useAnotherCard')}</a></p>`}
</section>
<p class="aside stand-in">${t('simulatedBankPage')}</p>`
  return renderDocument({ title: t('confirmWithBank'), main, shape: 'narrow', hasForm: true }, view)
}
