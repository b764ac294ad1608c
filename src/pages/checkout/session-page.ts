import { isCardRequired } from '../../domain/completion/session-offers.ts'
import { balanceOf } from '../../domain/payments/credit-balance.ts'
import type { CheckoutSession } from '../../domain/sessions/checkout-sessions.ts'
import { offersWallet } from '../../domain/sessions/payment-method-types.ts'
import type { PaymentSession } from '../../domain/sessions/payment-sessions.ts'
import { cardForm, cardlessForm, type FormState } from '../forms/card-form.ts'
import type { TextKey } from '../languages/messages.ts'
import type { Html } from '../markup/html.ts'
import { formPage } from '../view/layout.ts'
import type { PageView } from '../view/page-view.ts'
import { describeSubscriptionTerms } from '../view/subscription-terms.ts'
import { type OrderSummaryOptions, paymentSummary, subscriptionSummary } from './order-summary.ts'

interface CheckoutPageOptions extends OrderSummaryOptions<CheckoutSession> {
  readonly now: number
}

/** Returns the page of an open checkout session: the order summary and the form. */
export function checkoutPage(order: CheckoutPageOptions, state: FormState, view: PageView): Html {
  const { session, now, language } = order
  const terms = describeSubscriptionTerms(session, now, language, balanceOf(order.customer, session.currency))
  const hasCardForm = isCardRequired(session, now)
  const purpose = {
    action: view.links.session(session),
    title: language.t(hasCardForm ? 'cardDetails' : 'confirm'),
    button: terms.button,
    consent: terms.consent,
    wallet: walletOf(session, view),
  }
  const form = hasCardForm
    ? cardForm(purpose, state, language)
    : cardlessForm({ ...purpose, wallet: null, note: language.t(getNoCardNote(session)) }, state)
  const title = language.t('subscribe')
  return formPage(
    {
      title,
      state,
      summary: subscriptionSummary(order, terms),
      form,
      cardPath: hasCardForm ? purpose.action : null,
    },
    view,
  )
}

function walletOf(session: CheckoutSession | PaymentSession, { links }: PageView): string | null {
  return offersWallet(session) ? links.wallet(session) : null
}

function getNoCardNote({ subscription_data }: CheckoutSession): TextKey {
  return subscription_data.collection_method === 'send_invoice' ? 'noCardNeeded' : 'noCardForTrial'
}

/** Returns the page of an open payment session: the order summary and the card form. */
export function paymentPage(
  order: OrderSummaryOptions<PaymentSession>,
  state: FormState,
  view: PageView,
): Html {
  const { session, language } = order
  const pay = language.t('pay', { amount: language.formatMoney(session.amount, session.currency) })
  const action = view.links.session(session)
  const consent = session.save_payment_method ? language.t('consentLaterPayments') : null
  const title = language.t('cardDetails')
  const purpose = { action, title, button: pay, consent, wallet: walletOf(session, view) }
  const form = cardForm(purpose, state, language)
  return formPage({ title: pay, state, summary: paymentSummary(order), form, cardPath: action }, view)
}
