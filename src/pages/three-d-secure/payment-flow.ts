import { completeInvoiceAuthentication } from '../../domain/billing/invoice-actions.ts'
import type { Invoice } from '../../domain/billing/invoices.ts'
import { completePaymentAuthentication } from '../../domain/payments/api-payments.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import type { FormOutcome } from '../../domain/requests/used-form-tokens.ts'
import { loadInvoiceRecords } from '../../engine/load-billing.ts'
import {
  loadPaymentWithAuthentication,
  loadPendingAuthentication,
} from '../../engine/pending-authentication.ts'
import { getTimeReference } from '../../engine/time-reference.ts'
import { getInstrumentDetails } from '../../presentation/card-brands.ts'
import { submitFormOnce, toFormDecision } from '../forms/form-submission.ts'
import { getDeclineTitle } from '../forms/notices.ts'
import type { PageContext } from '../forms/page-context.ts'
import { type PageResponse, redirectSeeOther } from '../forms/page-response.ts'
import { listInvoiceDetails } from '../invoice/invoice-result-pages.ts'
import { type Html, html } from '../markup/html.ts'
import { loadInvoiceReceipt, loadPaymentReceipt } from '../receipt/load-receipt.ts'
import { createReceiptTexts } from '../receipt/receipt.ts'
import { createUncollectedContent, listDescriptionRows } from '../status/result-page.ts'
import { createStatusPageResponse, type StatusPageContent } from '../status/status-pages.ts'
import type { PageView } from '../view/page-view.ts'
import type { ChallengeDecision, ThreeDSecureFlow } from './three-d-secure-flow.ts'
import type { ThreeDSecurePageContent } from './three-d-secure-page.ts'

/** Creates the confirmation of a payment, at `/3ds/<payment>`. `invoice` is null for an API payment. */
export function createPaymentThreeDSecureFlow(
  context: PageContext,
  payment: Payment,
  invoice: Invoice | null,
): ThreeDSecureFlow {
  const { view } = context
  return {
    loadChallenge: () => loadChallenge(context, payment, invoice),
    submit: (result) =>
      invoice === null
        ? submitPaymentResult(context, payment, result)
        : submitInvoiceResult(context, payment, invoice, result),
    getNextPath: () => view.links.confirmationResult(payment.id),
    showEnded: () =>
      isCanceledUnconfirmed(payment) ? showCanceled(invoice, view) : showNothingToConfirm(payment, view),
    showResult: () => showResult(context, payment, invoice),
  }
}

function isCanceledUnconfirmed({ status, capture_before }: Payment): boolean {
  return status === 'canceled' && capture_before === null
}

async function loadChallenge(
  { pages, view }: PageContext,
  payment: Payment,
  invoice: Invoice | null,
): Promise<ThreeDSecurePageContent | null> {
  const { id, amount, currency } = payment
  const common = { target: id, amount, currency }
  if (invoice === null) {
    if (payment.status !== 'requires_action') return null
    const card = getInstrumentDetails(payment.payment_method_details)
    return { ...common, card, details: listDescriptionRows(payment, view.language), otherCardPath: null }
  }
  const { authentication } = await loadPendingAuthentication(pages.runtime.store, invoice.id)
  if (authentication?.payment !== id) return null
  const otherCardPath = view.links.invoice(invoice.id)
  const details = listInvoiceDetails(invoice, view.language)
  return { ...common, card: authentication.card, details, otherCardPath }
}

function submitPaymentResult(
  { pages }: PageContext,
  { id, payment_method_details }: Payment,
  { nonce, isApproved }: ChallengeDecision,
): Promise<FormOutcome | null> {
  return submitFormOnce(pages.runtime, {
    subject: {
      id,
      async load(reader) {
        const payment = await reader.get('payments', id)
        return payment?.status === 'requires_action' ? loadPaymentWithAuthentication(reader, payment) : null
      },
      when: ({ payment }) => getTimeReference(payment),
    },
    nonce,
    decide: (pending, context) => toFormDecision(completePaymentAuthentication(pending, isApproved, context)),
    getLast4: () => getInstrumentDetails(payment_method_details).last4,
  })
}

function submitInvoiceResult(
  { pages }: PageContext,
  payment: Payment,
  { id }: Invoice,
  { nonce, isApproved }: ChallengeDecision,
): Promise<FormOutcome | null> {
  return submitFormOnce(pages.runtime, {
    subject: {
      id,
      async load(reader) {
        const invoice = await reader.get('invoices', id)
        const { authentication } = await loadPendingAuthentication(reader, id)
        // When an invoice is settled, its authentication is removed, so no status check is needed.
        const isWaiting = authentication?.payment === payment.id
        return invoice !== null && isWaiting ? loadInvoiceRecords(reader, invoice) : null
      },
      when: ({ invoice }) => getTimeReference(invoice),
    },
    nonce,
    decide: (records, context) => toFormDecision(completeInvoiceAuthentication(records, isApproved, context)),
    getLast4: () => getInstrumentDetails(payment.payment_method_details).last4,
  })
}

async function showResult(
  { pages, view }: PageContext,
  payment: Payment,
  invoice: Invoice | null,
): Promise<PageResponse> {
  const { store } = pages.runtime
  switch (payment.status) {
    case 'succeeded': {
      const { t } = view.language
      const loaded =
        invoice === null
          ? await loadPaymentReceipt(store, payment, view)
          : await loadInvoiceReceipt(store, invoice, view)
      const title = t(invoice === null ? 'paymentReceived' : 'invoicePaid')
      const receipts = [createReceiptTexts({ ...loaded, payment }, view.language)]
      return createStatusPageResponse(view, { icon: 'good', title, text: t('invoicePaidText'), receipts })
    }
    case 'failed':
      return showDeclined(payment, invoice, view)
    case 'canceled':
      return isCanceledUnconfirmed(payment)
        ? showCanceled(invoice, view)
        : createStatusPageResponse(view, createUncollectedContent(payment, payment, view.language))
    case 'requires_capture':
      return createStatusPageResponse(view, createUncollectedContent(payment, payment, view.language))
    default:
      return redirectSeeOther(view.links.threeDSecure(payment.id))
  }
}

/** Returns the page after a rejected or declined payment: the reason, the next step and the amount due of an invoice. */
function showDeclined(payment: Payment, invoice: Invoice | null, view: PageView): PageResponse {
  const { t, formatMoney, translateError } = view.language
  const { last4 } = getInstrumentDetails(payment.payment_method_details)
  const title = getDeclineTitle(payment.failure_code, view.language)
  const why = `${translateError(payment.failure_message ?? '')} ${t('cardNotCharged', { last4 })}`
  if (invoice === null)
    return createStatusPageResponse(view, { icon: 'ended', title, text: [why, t('askForNewLink')] })
  const owed = invoice.status === 'void' ? 0 : invoice.amount_remaining
  const details: StatusPageContent['details'] = [
    [t('amountRemaining'), formatMoney(owed, invoice.currency)],
    ...listInvoiceDetails(invoice, view.language),
  ]
  const text = [why, describeStatus(invoice, view)]
  return createStatusPageResponse(view, {
    icon: 'ended',
    title,
    text,
    details,
    link: invoiceLink(invoice, view),
  })
}

/** Returns the page of a payment that was canceled before the customer completed 3-D Secure. */
function showCanceled(invoice: Invoice | null, view: PageView): PageResponse {
  const { t } = view.language
  const title = t('nothingToConfirm')
  const why = t('attemptCanceled')
  const content =
    invoice === null
      ? { text: [why, t('askForNewLink')] }
      : { text: `${why} ${describeStatus(invoice, view)}`, link: invoiceLink(invoice, view) }
  return createStatusPageResponse(view, { icon: 'ended', title, ...content }, 410)
}

/** Returns the page of a payment that was already confirmed or rejected. */
function showNothingToConfirm({ id }: Payment, view: PageView): PageResponse {
  const { t } = view.language
  const link = html`<a class="button" href="${view.links.confirmationResult(id)}">${t('showResult')}</a>`
  const texts = { title: t('nothingToConfirm'), text: t('answered') }
  return createStatusPageResponse(view, { icon: 'ended', ...texts, link }, 410)
}

function describeStatus({ status, number }: Invoice, { language: { t } }: PageView): string {
  if (status === 'paid') return t('invoicePaidSince', { number: number ?? '' })
  if (status === 'void') return t('invoiceVoidSince', { number: number ?? '' })
  return t('payInvoiceAgain')
}

function invoiceLink(invoice: Invoice, { language, links }: PageView): Html {
  return html`<a class="button" href="${links.invoice(invoice.id)}">${language.t('toInvoice')}</a>`
}
