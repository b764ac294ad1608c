import { isCardRequired } from '../../domain/completion/session-offers.ts'
import { getCreditBalance } from '../../domain/payments/credit-balance.ts'
import type { CheckoutSession } from '../../domain/sessions/checkout-sessions.ts'
import type { Redemption } from '../../domain/sessions/discounts.ts'
import { isCardOffered, isDebitOffered, isWalletOffered } from '../../domain/sessions/payment-method-types.ts'
import type { PaymentSession } from '../../domain/sessions/payment-sessions.ts'
import { type FormState, renderFormPage } from '../forms/card-form.ts'
import type { TextKey } from '../languages/messages.ts'
import type { Html } from '../markup/html.ts'
import type { PageView } from '../view/page-view.ts'
import { describeSubscriptionTerms } from '../view/subscription-terms.ts'
import {
  type OrderSummaryOptions,
  renderPaymentSummary,
  renderSubscriptionSummary,
  type SubscriptionSummaryOptions,
} from './order-summary.ts'
import { renderPromotionCodeForm } from './promotion-code-form.ts'

/** Returns the page of an open checkout session: the order summary and the form. */
export function renderCheckoutPage(
  order: Omit<SubscriptionSummaryOptions, 'codeForm'> & { readonly redemption: Redemption | null },
  state: FormState,
  view: PageView,
): Html {
  const { session, language, redemption } = order
  const { now } = state
  const balance = getCreditBalance(order.customer, session.currency)
  const duration = order.coupon?.duration ?? null
  const terms = describeSubscriptionTerms(session, now, language, { balance, duration })
  const codeForm = session.allow_promotion_codes
    ? renderPromotionCodeForm(session, redemption, state, view)
    : null
  const hasCardForm = isCardRequired(session, now)
  const purpose = {
    action: view.links.session(session),
    title: language.t(hasCardForm ? getFormTitle(session) : 'confirm'),
    button: terms.button,
    consent: terms.consent,
    note: hasCardForm ? null : language.t(getNoCardNote(session)),
    wallet: hasCardForm ? walletOf(session, view) : null,
    offersCard: isCardOffered(session),
    offersDebit: hasCardForm && isDebitOffered(session),
  }
  return renderFormPage(
    {
      title: language.t('subscribe'),
      purpose,
      summary: renderSubscriptionSummary({ ...order, codeForm }, terms),
    },
    state,
    view,
  )
}

function getFormTitle(session: CheckoutSession | PaymentSession): TextKey {
  return isCardOffered(session) ? 'cardDetails' : 'bankAccount'
}

function walletOf(session: CheckoutSession | PaymentSession, { links }: PageView): string | null {
  return isWalletOffered(session) ? links.session(session, '/wallet') : null
}

function getNoCardNote({ subscription_data }: CheckoutSession): TextKey {
  return subscription_data.collection_method === 'send_invoice' ? 'noCardNeeded' : 'noCardForTrial'
}

/** Returns the page of an open payment session: the order summary and the card form. */
export function renderPaymentPage(
  order: OrderSummaryOptions<PaymentSession>,
  state: FormState,
  view: PageView,
): Html {
  const { session, language } = order
  const isHold = session.capture_method === 'manual'
  const amount = language.formatMoney(session.amount, session.currency)
  const pay = language.t(isHold ? 'reserve' : 'pay', { amount })
  const purpose = {
    action: view.links.session(session),
    title: language.t(getFormTitle(session)),
    button: pay,
    consent: session.save_payment_method ? language.t('consentLaterPayments') : null,
    wallet: walletOf(session, view),
    offersCard: isCardOffered(session),
    offersDebit: isDebitOffered(session),
  }
  return renderFormPage({ title: pay, purpose, summary: renderPaymentSummary(order) }, state, view)
}
