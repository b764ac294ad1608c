import { completeInvoiceAuthentication } from '../../domain/billing/invoice-actions.ts'
import type { Invoice } from '../../domain/billing/invoices.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { loadPendingAuthentication } from '../../engine/pending-authentication.ts'
import { createInvoiceAuthenticationSubject } from '../forms/form-subjects.ts'
import { submitFormOnce } from '../forms/form-submission.ts'
import type { PageContext } from '../forms/page-context.ts'
import { htmlResponse, type PageResponse, seeOther } from '../forms/page-response.ts'
import {
  canceledPaymentPage,
  declinedInvoicePage,
  invoiceDetails,
  nothingToConfirmPage,
  paidInvoicePage,
} from '../invoice/invoice-result-pages.ts'
import { loadInvoiceReceipt } from '../receipt/load-receipt.ts'
import type { ThreeDSecureConfirmation } from './confirmation.ts'
import type { ThreeDSecureChallenge } from './three-d-secure-page.ts'

/** Creates the confirmation of an invoice payment, at `/3ds/<payment>`. */
export function createInvoiceConfirmation(
  context: PageContext,
  invoice: Invoice,
  payment: Payment,
): ThreeDSecureConfirmation {
  const { pages, view } = context
  return {
    loadChallenge: () => loadChallenge(context, invoice, payment),
    submit: ({ nonce, isApproved }) =>
      submitFormOnce(pages.runtime, {
        subject: createInvoiceAuthenticationSubject(invoice, payment),
        nonce,
        decide: (records, ruleContext) => completeInvoiceAuthentication(records, isApproved, ruleContext),
        getLast4: () => payment.payment_method_details.card.last4,
      }),
    getNextPath: () => view.links.confirmationResult(payment.id),
    renderEndedPage: () =>
      payment.status === 'canceled'
        ? canceledPaymentPage(invoice, view)
        : nothingToConfirmPage(payment, view),
    showResult: () => showResult(context, invoice, payment),
  }
}

async function loadChallenge(
  { pages, view }: PageContext,
  invoice: Invoice,
  payment: Payment,
): Promise<ThreeDSecureChallenge | null> {
  const { authentication } = await loadPendingAuthentication(pages.runtime.store, invoice.id)
  if (authentication?.payment !== payment.id) return null
  return {
    target: payment.id,
    amount: payment.amount,
    currency: payment.currency,
    card: authentication.card,
    details: invoiceDetails(invoice, view.language),
    otherCardPath: view.links.invoice(invoice.id),
  }
}

async function showResult(
  { pages, view }: PageContext,
  invoice: Invoice,
  payment: Payment,
): Promise<PageResponse> {
  switch (payment.status) {
    case 'succeeded': {
      const receipt = await loadInvoiceReceipt(pages.runtime.store, invoice, view)
      return htmlResponse(view, 200, paidInvoicePage({ ...receipt, payment }, view))
    }
    case 'failed':
      return htmlResponse(view, 200, declinedInvoicePage(invoice, payment, view))
    case 'canceled':
      return htmlResponse(view, 410, canceledPaymentPage(invoice, view))
    default:
      return seeOther(view.links.threeDSecure(payment.id))
  }
}
