import { answerInvoiceChallenge } from '../../domain/invoice-handling.ts'
import type { Invoice } from '../../domain/invoices.ts'
import type { Payment } from '../../domain/payments.ts'
import { loadWaiting } from '../../engine/waiting.ts'
import { invoiceSubject } from '../forms/form-targets.ts'
import type { Visit } from '../forms/handlers.ts'
import { type PageAnswer, page, seeOther } from '../forms/http.ts'
import { askerOfInvoice } from '../forms/merchant-name.ts'
import { submitOnce } from '../forms/submission.ts'
import {
  canceledAttemptPage,
  invoiceFacts,
  nothingToConfirmPage,
  paidInvoicePage,
  unpaidInvoicePage,
} from '../invoice/invoice-pages.ts'
import type { View } from '../view/view.ts'
import type { Confirmation } from './confirmation.ts'
import type { Challenge } from './three-d-secure-page.ts'

/** What the buyer of an invoice confirms at `/3ds/<payment>`. */
export function invoiceConfirmation(visit: Visit, invoice: Invoice, payment: Payment): Confirmation {
  const { pages, view } = visit
  return {
    challenge: () => challengeOf(visit, invoice, payment),
    answer: ({ nonce, isApproved }) =>
      submitOnce(pages.runtime, {
        subject: invoiceSubject(invoice, payment),
        nonce,
        act: (owing, context) => answerInvoiceChallenge(owing, isApproved, context),
        last4: () => payment.payment_method_details.card.last4,
      }),
    next: () => view.links.confirmed(payment.id),
    gone: () => endedPage(invoice, payment, view),
  }
}

async function challengeOf(
  { pages, view }: Visit,
  invoice: Invoice,
  payment: Payment,
): Promise<Challenge | null> {
  const { authentication } = await loadWaiting(pages.runtime.store, invoice.id)
  if (authentication?.payment !== payment.id) return null
  return {
    target: payment.id,
    amount: payment.amount,
    currency: payment.currency,
    card: authentication.card,
    asker: await askerOfInvoice(pages.runtime.store, invoice, view),
    details: invoiceFacts(invoice, view.language),
    otherCard: view.links.invoice(invoice.id),
  }
}

function endedPage(invoice: Invoice, payment: Payment, view: View): string {
  return payment.status === 'canceled'
    ? canceledAttemptPage(invoice, view)
    : nothingToConfirmPage(payment, view)
}

/** GET of how the payment of an invoice ended that its buyer was asked to confirm. */
export function showConfirmedInvoice({ view }: Visit, invoice: Invoice, payment: Payment): PageAnswer {
  switch (payment.status) {
    case 'succeeded':
      return page(200, paidInvoicePage(invoice, payment, view))
    case 'failed':
      return page(200, unpaidInvoicePage(invoice, payment, view))
    case 'canceled':
      return page(410, canceledAttemptPage(invoice, view))
    default:
      return seeOther(view.links.threeDSecure(payment.id))
  }
}
