import type { Invoice } from '../../domain/billing/invoices.ts'
import type { PageResponse } from '../forms/page-response.ts'
import type { Language } from '../languages/language.ts'
import { createReceiptTexts, type Receipt } from '../receipt/receipt.ts'
import { createStatusPageResponse } from '../status/status-pages.ts'
import { renderTruncatedText } from '../view/layout.ts'
import type { PageView } from '../view/page-view.ts'
import type { DetailRow } from '../view/receipt-texts.ts'

/** Returns the rows that identify an invoice. */
export function listInvoiceDetails({ number, description }: Invoice, { t }: Language): DetailRow[] {
  return [
    [t('invoice'), number],
    [t('purpose'), renderTruncatedText(description)],
  ]
}

/** Returns the response for an unpaid invoice that cannot be paid because its customer was deleted. */
export function createUnpayableInvoiceResponse(invoice: Invoice, view: PageView): PageResponse {
  const { t } = view.language
  const details = listInvoiceDetails(invoice, view.language)
  const texts = { title: t('invoiceClosed'), text: t('invoiceClosedText') }
  return createStatusPageResponse(view, { icon: 'ended', ...texts, details }, 410)
}

/** Returns the response with the page of a paid or void invoice. */
export function createSettledInvoiceResponse(
  invoice: Invoice,
  receipt: Receipt,
  view: PageView,
): PageResponse {
  const { t, formatDate } = view.language
  const isPaid = invoice.status === 'paid'
  const details: DetailRow[] = isPaid ? [] : [[t('date'), formatDate(invoice.voided_at ?? invoice.created)]]
  return createStatusPageResponse(view, {
    icon: isPaid ? 'good' : 'ended',
    title: t(isPaid ? 'invoicePaid' : 'invoiceVoid'),
    text: t(isPaid ? 'invoiceSettled' : 'invoiceVoidText'),
    receipts: [createReceiptTexts(receipt, view.language)],
    details,
  })
}
