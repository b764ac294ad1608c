import type { PaymentSession } from '../../domain/payment-sessions.ts'
import { cardForm, type FormState } from '../forms/card-form.ts'
import { html } from '../markup/html.ts'
import { layout } from '../view/layout.ts'
import type { View } from '../view/view.ts'
import { type Order, paymentSummary } from './order-summary.ts'

/** The page where a buyer pays once. */
export function paymentPage(order: Order<PaymentSession>, state: FormState, view: View): string {
  const { session, language } = order
  const pay = language.say('pay', { amount: language.money(session.amount, session.currency) })
  const form = cardForm(
    { action: view.links.session(session), title: language.say('cardDetails'), button: pay, consent: null },
    state,
    language,
  )
  const main = html`${paymentSummary(order)}
${form}`
  const title = state.notice === null ? pay : language.say('errorTitle', { title: state.notice.title })
  return layout({ title, main, shape: 'split', hasForm: true }, view)
}
