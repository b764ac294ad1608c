import { completePaymentAuthentication } from '../../domain/api-payments.ts'
import type { Payment } from '../../domain/payments.ts'
import { createApiPaymentSubject } from '../forms/form-subjects.ts'
import { getDeclineTitle } from '../forms/notices.ts'
import type { PageContext } from '../forms/page-context.ts'
import { htmlResponse, type PageResponse, seeOther } from '../forms/page-response.ts'
import { submitOnce } from '../forms/submission.ts'
import { nothingToConfirmPage } from '../invoice/invoice-result-pages.ts'
import { type HtmlValue, html } from '../markup/html.ts'
import { statusPage } from '../status/status-pages.ts'
import { truncateText } from '../view/layout.ts'
import type { PageView } from '../view/page-view.ts'
import type { Confirmation } from './confirmation.ts'
import type { Challenge } from './three-d-secure-page.ts'

/** Creates the confirmation of an API payment, at `/3ds/<payment>`. */
export function createApiPaymentConfirmation({ pages, view }: PageContext, payment: Payment): Confirmation {
  return {
    loadChallenge: async () => (payment.status === 'requires_action' ? createChallenge(payment, view) : null),
    submit: ({ nonce, isApproved }) =>
      submitOnce(pages.runtime, {
        subject: createApiPaymentSubject(payment),
        nonce,
        decide: (pending, ruleContext) => completePaymentAuthentication(pending, isApproved, ruleContext),
        getLast4: () => payment.payment_method_details.card.last4,
      }),
    getNextPath: () => view.links.confirmationResult(payment.id),
    renderEndedPage: () =>
      payment.status === 'canceled' ? canceledPage(view) : nothingToConfirmPage(payment, view),
    showResult: () => showResult(payment, view),
  }
}

function createChallenge(payment: Payment, view: PageView): Challenge {
  const { id, amount, currency, payment_method_details } = payment
  return {
    target: id,
    amount,
    currency,
    card: payment_method_details.card,
    details: describePurpose(payment, view),
    otherCardPath: null,
  }
}

function describePurpose({ description }: Payment, { language }: PageView): [string, HtmlValue][] {
  return description === null ? [] : [[language.t('purpose'), truncateText(description)]]
}

function showResult(payment: Payment, view: PageView): PageResponse {
  switch (payment.status) {
    case 'succeeded':
      return htmlResponse(view, 200, succeededPage(payment, view))
    case 'failed':
      return htmlResponse(view, 200, failedPage(payment, view))
    case 'canceled':
      return htmlResponse(view, 410, canceledPage(view))
    default:
      return seeOther(view.links.threeDSecure(payment.id))
  }
}

function succeededPage(payment: Payment, view: PageView): string {
  const { t, formatMoney, formatDate } = view.language
  const details: [string, HtmlValue][] = [
    [t('paid'), formatMoney(payment.amount, payment.currency)],
    [t('date'), formatDate(payment.succeeded_at ?? payment.created)],
    ...describePurpose(payment, view),
    [t('reference'), html`<small>${payment.id}</small>`],
  ]
  return statusPage({ icon: 'good', title: t('paymentReceived'), text: t('invoicePaidText'), details }, view)
}

function failedPage(payment: Payment, view: PageView): string {
  const { t, translateError } = view.language
  const { last4 } = payment.payment_method_details.card
  const why = `${translateError(payment.failure_message ?? '')} ${t('cardNotCharged', { last4 })}`
  const title = getDeclineTitle(payment.failure_code, view.language)
  return statusPage({ icon: 'ended', title, text: [why, t('askForNew')] }, view)
}

function canceledPage(view: PageView): string {
  const { t } = view.language
  const text = [t('attemptCanceled'), t('askForNew')]
  return statusPage({ icon: 'ended', title: t('nothingToConfirm'), text }, view)
}
