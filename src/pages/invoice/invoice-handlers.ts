import { isRetryBlocked } from '../../domain/billing/charge-invoice.ts'
import type { Invoice } from '../../domain/billing/invoices.ts'
import { isLiveSubscription } from '../../domain/billing/subscriptions.ts'
import { submitInvoicePayment } from '../../domain/completion/invoice-submission.ts'
import { isDeleted } from '../../domain/core/changes.ts'
import { isPaymentProcessing } from '../../domain/payments/payment-processing.ts'
import { loadInvoiceRecords } from '../../engine/load-billing.ts'
import { runDueJobs } from '../../engine/real-time-jobs.ts'
import { getTimeReference, loadReferencedTime } from '../../engine/time-reference.ts'
import { showPaymentForm, submitPaymentForm } from '../checkout/payment-form.ts'
import type { TransactionReader } from '../forms/form-submission.ts'
import type { PageContext } from '../forms/page-context.ts'
import { type PageResponse, redirectSeeOther } from '../forms/page-response.ts'
import { isCardKept } from '../forms/posted-form.ts'
import { loadInvoiceReceipt } from '../receipt/load-receipt.ts'
import { createUncollectedContent } from '../status/result-page.ts'
import { createErrorPageResponse, createStatusPageResponse } from '../status/status-pages.ts'
import { renderPayableInvoicePage } from './invoice-page.ts'
import { createSettledInvoiceResponse, createUnpayableInvoiceResponse } from './invoice-result-pages.ts'

/**
 * Handles GET of an invoice: the form while the invoice can be paid, otherwise its result. Responds with 410 when the
 * customer was deleted, and with 404 for a draft. `status` is the HTTP status of the page of a debit without an
 * outcome.
 */
export async function showInvoice(context: PageContext, id: string, status = 200): Promise<PageResponse> {
  const { view, pages } = context
  const { store } = pages.runtime
  const invoice = await store.get('invoices', id)
  if (invoice === null || invoice.status === 'draft') return createErrorPageResponse(404, view)
  if (!isUnpaidInvoice(invoice)) {
    const receipt = await loadInvoiceReceipt(store, invoice, view)
    return createSettledInvoiceResponse(invoice, receipt, view)
  }
  const debit = await store.get('payments', invoice.latest_payment ?? '')
  if (isPaymentProcessing(debit)) {
    return createStatusPageResponse(view, createUncollectedContent(debit, invoice, view.language), status)
  }
  return (await isPayableInvoice(store, invoice))
    ? showForm(context, invoice)
    : createUnpayableInvoiceResponse(invoice, view)
}

/** Handles POST of an invoice's form. */
export async function postInvoice(context: PageContext, id: string): Promise<PageResponse> {
  const { runtime } = context.pages
  const invoice = await runtime.store.get('invoices', id)
  if (invoice === null || invoice.status === 'draft') return showInvoice(context, id)
  const path = context.view.links.invoice(id)
  if (!(await isPayableInvoice(runtime.store, invoice)))
    return context.wantsHtml ? redirectSeeOther(path) : showInvoice(context, id)
  return submitPaymentForm(context, {
    subject: {
      id,
      async load(reader) {
        const current = await reader.get('invoices', id)
        return current !== null && (await isPayableInvoice(reader, current))
          ? loadInvoiceRecords(reader, current)
          : null
      },
      when: (records) => getTimeReference(records.invoice),
    },
    needsCard: () => true,
    createOfferFingerprint: (records) => serializeInvoiceOffer(records.invoice),
    decide: (records, card, ruleContext) =>
      submitInvoicePayment(records, { card, keep: isCardKept(context.form) }, ruleContext),
    loadTime: () => loadTime(context, invoice),
    render: (shown) => showForm(shown, invoice),
    // The page of the invoice shows the result, even if the invoice was settled in another way.
    async showResult() {
      await runDueJobs(runtime)
      return redirectSeeOther(path)
    },
    showFinalError({ code }) {
      if (code !== 'payment_processing') return null
      return context.wantsHtml ? redirectSeeOther(path) : showInvoice(context, id, 409)
    },
  })
}

/** Returns whether an invoice can still be paid or collected. */
function isUnpaidInvoice({ status }: Invoice): boolean {
  return status === 'open' || status === 'uncollectible'
}

async function isPayableInvoice(reader: TransactionReader, invoice: Invoice): Promise<boolean> {
  const customer = await reader.get('customers', invoice.customer)
  return isUnpaidInvoice(invoice) && customer !== null && !isDeleted(customer)
}

/** Returns the offer of an invoice form as a string that can be compared: its amount and currency. */
function serializeInvoiceOffer({ amount_remaining, currency }: Invoice): string {
  return JSON.stringify([amount_remaining, currency])
}

function loadTime({ pages: { runtime } }: PageContext, invoice: Invoice): Promise<number> {
  return loadReferencedTime(getTimeReference(invoice), runtime.store, runtime.wallNow())
}

async function showForm(context: PageContext, invoice: Invoice): Promise<PageResponse> {
  const { pages, view } = context
  const { id, test_clock } = invoice
  const offer = serializeInvoiceOffer(invoice)
  const owner = { id, test_clock, now: await loadTime(context, invoice), offer, path: view.links.invoice(id) }
  return showPaymentForm(context, owner, async (state) => {
    const { store } = pages.runtime
    const payable = {
      invoice,
      nextChargeAt: await findNextCharge(store, invoice),
      isCardReusable: await isCardReusable(store, invoice),
    }
    return renderPayableInvoicePage(payable, state, view)
  })
}

/** Returns whether the subscription of the invoice will charge a card again. */
async function isCardReusable(reader: TransactionReader, invoice: Invoice): Promise<boolean> {
  const subscription = await reader.get('subscriptions', invoice.subscription ?? '')
  if (subscription === null || subscription.collection_method === 'send_invoice') return false
  return isLiveSubscription(subscription)
}

/** Returns the next charge of the saved card in Unix seconds; null without a scheduled charge or a chargeable card. */
async function findNextCharge(reader: TransactionReader, invoice: Invoice): Promise<number | null> {
  const { next_payment_attempt: next } = invoice
  if (next === null) return null
  const { account, history } = await loadInvoiceRecords(reader, invoice)
  return account.card === null || isRetryBlocked(account.card, history) ? null : next
}
