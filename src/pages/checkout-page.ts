import { isCardAsked } from '../domain/card-submission.ts'
import type { CheckoutSession } from '../domain/checkout-sessions.ts'
import type { Customer } from '../domain/customers.ts'
import { cardForm, confirmForm, type FormState } from './card-form.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'
import type { Links } from './links.ts'
import { subscriptionSummary } from './order-summary.ts'
import { describeTerms } from './terms.ts'

/** An open checkout session and its customer, seen at a moment in Unix seconds. */
export interface OpenCheckout {
  readonly session: CheckoutSession
  readonly customer: Customer
  readonly now: number
}

/** The page where a buyer subscribes: the order, and the form that completes it. */
export function checkoutPage(
  { session, customer, now }: OpenCheckout,
  state: FormState,
  links: Links,
): string {
  const terms = describeTerms(session, now)
  const isCard = isCardAsked(session)
  const purpose = {
    action: links.session(session),
    title: isCard ? 'Card details' : 'Confirm',
    button: terms.button,
    consent: terms.consent,
  }
  const form = isCard ? cardForm(purpose, state) : confirmForm(purpose, state)
  const main = html`${subscriptionSummary(session, customer, terms)}
${form}`
  const title = state.notice === null ? 'Subscribe' : `Error: ${state.notice.title}`
  return layout({ title, main, shape: 'split' }, links)
}
