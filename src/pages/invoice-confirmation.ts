import { answerInvoiceChallenge } from '../domain/invoice-handling.ts'
import type { Invoice } from '../domain/invoices.ts'
import type { Payment } from '../domain/payments.ts'
import { loadWaiting } from '../engine/waiting.ts'
import type { Confirmation } from './confirmation.ts'
import { type PageAnswer, page, seeOther } from './exchange.ts'
import {
  canceledAttemptPage,
  invoiceFacts,
  nothingToConfirmPage,
  paidInvoicePage,
  unpaidInvoicePage,
} from './invoice-pages.ts'
import type { Links } from './links.ts'
import type { Visit } from './session-visits.ts'
import { invoiceSubject } from './subjects.ts'
import { submitOnce } from './submission.ts'
import type { Challenge } from './three-d-secure-page.ts'

/** What the buyer of an invoice confirms at `/3ds/<payment>`. */
export function invoiceConfirmation(visit: Visit, invoice: Invoice, payment: Payment): Confirmation {
  const { pages, links } = visit
  return {
    challenge: () => challengeOf(visit, invoice, payment),
    answer: ({ nonce, isApproved }) =>
      submitOnce(pages.runtime, {
        subject: invoiceSubject(invoice, payment),
        nonce,
        act: (owing, world) => answerInvoiceChallenge(owing, isApproved, world),
        last4: () => payment.payment_method_details.card.last4,
      }),
    next: () => links.confirmed(payment.id),
    gone: () => endedPage(invoice, payment, links),
  }
}

async function challengeOf({ pages }: Visit, invoice: Invoice, payment: Payment): Promise<Challenge | null> {
  const { authentication } = await loadWaiting(pages.runtime.store, invoice.id)
  if (authentication?.payment !== payment.id) return null
  return {
    target: payment.id,
    amount: payment.amount,
    currency: payment.currency,
    card: authentication.card,
    details: invoiceFacts(invoice),
    otherCard: null,
  }
}

function endedPage(invoice: Invoice, payment: Payment, links: Links): string {
  return payment.status === 'canceled'
    ? canceledAttemptPage(invoice, links)
    : nothingToConfirmPage(payment, links)
}

/** GET of how the payment of an invoice ended that its buyer was asked to confirm. */
export function showConfirmedInvoice({ links }: Visit, invoice: Invoice, payment: Payment): PageAnswer {
  switch (payment.status) {
    case 'succeeded':
      return page(200, paidInvoicePage(invoice, payment, links))
    case 'failed':
      return page(200, unpaidInvoicePage(invoice, payment, links))
    case 'canceled':
      return page(410, canceledAttemptPage(invoice, links))
    default:
      return seeOther(links.threeDSecure(payment.id))
  }
}
