import type { CheckoutSession } from '../../domain/checkout-sessions.ts'
import { isCardRequired } from '../../domain/session-submission.ts'
import { cardForm, confirmForm, type FormState } from '../forms/card-form.ts'
import { html } from '../markup/html.ts'
import { layout } from '../view/layout.ts'
import type { PageView } from '../view/page-view.ts'
import { describeTerms } from '../view/terms.ts'
import { type OrderSummaryOptions, subscriptionSummary } from './order-summary.ts'

export interface CheckoutPageOptions extends OrderSummaryOptions<CheckoutSession> {
  readonly now: number
}

/** Returns the page of an open checkout session: the order summary and the form. */
export function checkoutPage(order: CheckoutPageOptions, state: FormState, view: PageView): string {
  const { session, now, language } = order
  const terms = describeTerms(session, now, language)
  const hasCardForm = isCardRequired(session)
  const purpose = {
    action: view.links.session(session),
    title: language.t(hasCardForm ? 'cardDetails' : 'confirm'),
    button: terms.button,
    consent: terms.consent,
  }
  const form = hasCardForm ? cardForm(purpose, state, language) : confirmForm(purpose, state, language)
  const main = html`${subscriptionSummary(order, terms)}
${form}`
  const { notice } = state
  const title = notice === null ? language.t('subscribe') : language.t('errorTitle', { title: notice.title })
  return layout({ title, main, shape: 'split', hasForm: true }, view)
}
