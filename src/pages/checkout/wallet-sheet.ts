import { WALLET_LAST4 } from '../../domain/payments/wallet.ts'
import type { CheckoutSession } from '../../domain/sessions/checkout-sessions.ts'
import type { PaymentSession } from '../../domain/sessions/payment-sessions.ts'
import { findCardBrandName } from '../../presentation/card-brands.ts'
import { type FormState, renderNotice } from '../forms/card-form.ts'
import { type Html, html } from '../markup/html.ts'
import { WALLET_GLYPH } from '../markup/wallet-glyph.ts'
import { renderDetailList, renderDocument } from '../view/layout.ts'
import type { PageView } from '../view/page-view.ts'

/**
 * Returns the sheet of the simulated wallet, with buttons to approve, to decline and to go back to the form. `amount`
 * is the amount due today in minor units; 0 when the card is only saved.
 */
export function renderWalletSheet(
  session: CheckoutSession | PaymentSession,
  amount: number,
  { token, notice }: Pick<FormState, 'token' | 'notice'>,
  view: PageView,
): Html {
  const { t, tMarkup, formatMoney } = view.language
  const card = html`<bdi dir="ltr">${findCardBrandName('visa')} •••• ${WALLET_LAST4}</bdi>`
  const main = html`<section class="panel" aria-labelledby="title">
<h1 id="title">${WALLET_GLYPH}${t('payWithWallet')}</h1>
${renderDetailList([
  [t('amountToday'), formatMoney(amount, session.currency)],
  [t('card'), tMarkup('walletCard', { card })],
])}
${renderNotice(notice)}
<form method="post" action="${view.links.session(session, '/wallet')}">
<input type="hidden" name="form_token" autocomplete="off" value="${token}">
<button type="submit" name="answer" value="approve">${t('approve')}</button>
<button type="submit" name="answer" value="decline" class="quiet">${t('decline')}</button>
<button type="submit" name="answer" value="cancel" class="quiet">${t('cancel')}</button>
</form>
<p class="aside hint">${t('simulatedWallet')}</p>
</section>`
  return renderDocument({ title: t('payWithWallet'), main, shape: 'sheet', hasForm: true }, view)
}
