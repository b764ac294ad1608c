import { isCardAsked } from '../../domain/card-submission.ts'
import type { CheckoutSession } from '../../domain/checkout-sessions.ts'
import { cardForm, confirmForm, type FormState } from '../forms/card-form.ts'
import { html } from '../markup/html.ts'
import { layout } from '../view/layout.ts'
import { describeTerms } from '../view/terms.ts'
import type { View } from '../view/view.ts'
import { type Order, subscriptionSummary } from './order-summary.ts'

/** An open checkout session, seen at a moment in Unix seconds. */
export interface OpenCheckout extends Order<CheckoutSession> {
  readonly now: number
}

/** The page where a buyer subscribes: the order, and the form that completes it. */
export function checkoutPage(order: OpenCheckout, state: FormState, view: View): string {
  const { session, now, language } = order
  const terms = describeTerms(session, now, language)
  const isCard = isCardAsked(session)
  const purpose = {
    action: view.links.session(session),
    title: language.say(isCard ? 'cardDetails' : 'confirm'),
    button: terms.button,
    consent: terms.consent,
  }
  const form = isCard ? cardForm(purpose, state, language) : confirmForm(purpose, state, language)
  const main = html`${subscriptionSummary(order, terms)}
${form}`
  const { notice } = state
  const title =
    notice === null ? language.say('subscribe') : language.say('errorTitle', { title: notice.title })
  return layout({ title, main, shape: 'split', hasForm: true }, view)
}
