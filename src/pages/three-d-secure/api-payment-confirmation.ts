import { completePaymentAuthentication } from '../../domain/payments/api-payments.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { createApiPaymentSubject } from '../forms/form-subjects.ts'
import { submitFormOnce } from '../forms/form-submission.ts'
import { getDeclineTitle } from '../forms/notices.ts'
import type { PageContext } from '../forms/page-context.ts'
import { htmlResponse, type PageResponse, seeOther } from '../forms/page-response.ts'
import { nothingToConfirmPage } from '../invoice/invoice-result-pages.ts'
import type { Html, HtmlValue } from '../markup/html.ts'
import { loadPaymentReceipt } from '../receipt/load-receipt.ts'
import { type Receipt, renderReceipt } from '../receipt/receipt.ts'
import { statusPage } from '../status/status-pages.ts'
import { truncateText } from '../view/layout.ts'
import type { PageView } from '../view/page-view.ts'
import type { ThreeDSecureConfirmation } from './confirmation.ts'
import type { ThreeDSecureChallenge } from './three-d-secure-page.ts'

/** Creates the confirmation of an API payment, at `/3ds/<payment>`. */
export function createApiPaymentConfirmation(
  context: PageContext,
  payment: Payment,
): ThreeDSecureConfirmation {
  const { pages, view } = context
  return {
    loadChallenge: async () => (payment.status === 'requires_action' ? createChallenge(payment, view) : null),
    submit: ({ nonce, isApproved }) =>
      submitFormOnce(pages.runtime, {
        subject: createApiPaymentSubject(payment),
        nonce,
        decide: (pending, ruleContext) => completePaymentAuthentication(pending, isApproved, ruleContext),
        getLast4: () => payment.payment_method_details.card.last4,
      }),
    getNextPath: () => view.links.confirmationResult(payment.id),
    renderEndedPage: () =>
      payment.status === 'canceled' ? canceledPage(view) : nothingToConfirmPage(payment, view),
    showResult: () => showResult(context, payment),
  }
}

function createChallenge(payment: Payment, view: PageView): ThreeDSecureChallenge {
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

async function showResult({ pages, view }: PageContext, payment: Payment): Promise<PageResponse> {
  switch (payment.status) {
    case 'succeeded': {
      const receipt = await loadPaymentReceipt(pages.runtime.store, payment, view)
      return htmlResponse(view, 200, succeededPage(receipt, view))
    }
    case 'failed':
      return htmlResponse(view, 200, failedPage(payment, view))
    case 'canceled':
      return htmlResponse(view, 410, canceledPage(view))
    default:
      return seeOther(view.links.threeDSecure(payment.id))
  }
}

function succeededPage(receipt: Receipt, view: PageView): Html {
  const { t } = view.language
  return statusPage(
    {
      icon: 'good',
      title: t('paymentReceived'),
      text: t('invoicePaidText'),
      receipt: renderReceipt(receipt, view.language),
    },
    view,
  )
}

function failedPage(payment: Payment, view: PageView): Html {
  const { t, translateError } = view.language
  const { last4 } = payment.payment_method_details.card
  const why = `${translateError(payment.failure_message ?? '')} ${t('cardNotCharged', { last4 })}`
  const title = getDeclineTitle(payment.failure_code, view.language)
  return statusPage({ icon: 'ended', title, text: [why, t('askForNew')] }, view)
}

function canceledPage(view: PageView): Html {
  const { t } = view.language
  const text = [t('attemptCanceled'), t('askForNew')]
  return statusPage({ icon: 'ended', title: t('nothingToConfirm'), text }, view)
}
