import type { PaymentSession } from '../../domain/payment-sessions.ts'
import { cardForm, type FormState } from '../forms/card-form.ts'
import { html } from '../markup/html.ts'
import { layout } from '../view/layout.ts'
import type { PageView } from '../view/page-view.ts'
import { type OrderSummaryOptions, paymentSummary } from './order-summary.ts'

/** Returns the page of an open payment session: the order summary and the card form. */
export function paymentPage(
  order: OrderSummaryOptions<PaymentSession>,
  state: FormState,
  view: PageView,
): string {
  const { session, language } = order
  const pay = language.t('pay', { amount: language.formatMoney(session.amount, session.currency) })
  const form = cardForm(
    { action: view.links.session(session), title: language.t('cardDetails'), button: pay, consent: null },
    state,
    language,
  )
  const main = html`${paymentSummary(order)}
${form}`
  const title = state.notice === null ? pay : language.t('errorTitle', { title: state.notice.title })
  return layout({ title, main, shape: 'split', hasForm: true }, view)
}
