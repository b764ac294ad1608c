import type { Invoice } from '../../domain/billing/invoices.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { getDeclineTitle } from '../forms/notices.ts'
import type { Language } from '../languages/language.ts'
import { type Html, type HtmlValue, html } from '../markup/html.ts'
import { type Receipt, renderReceipt } from '../receipt/receipt.ts'
import { statusPage } from '../status/status-pages.ts'
import { truncateText } from '../view/layout.ts'
import type { PageView } from '../view/page-view.ts'

type DetailRow = readonly [name: string, value: HtmlValue]

/** Returns the rows that identify an invoice. */
export function invoiceDetails({ number, description }: Invoice, { t }: Language): DetailRow[] {
  return [
    [t('invoice'), number],
    [t('purpose'), truncateText(description)],
  ]
}

/** Returns the page of an unpaid invoice that cannot be paid because its customer was deleted. */
export function unpayableInvoicePage(invoice: Invoice, view: PageView): Html {
  const { t } = view.language
  const details = invoiceDetails(invoice, view.language)
  return statusPage(
    { icon: 'ended', title: t('invoiceClosed'), text: [t('invoiceClosedText')], details },
    view,
  )
}

/** Returns the page of a paid or void invoice. */
export function settledInvoicePage(invoice: Invoice, receipt: Receipt, view: PageView): Html {
  const { t, formatDate } = view.language
  const isPaid = invoice.status === 'paid'
  const details: DetailRow[] = isPaid ? [] : [[t('date'), formatDate(invoice.voided_at ?? invoice.created)]]
  return statusPage(
    {
      icon: isPaid ? 'good' : 'ended',
      title: t(isPaid ? 'invoicePaid' : 'invoiceVoid'),
      text: t(isPaid ? 'invoiceSettled' : 'invoiceVoidText'),
      receipt: renderReceipt(receipt, view.language),
      details,
    },
    view,
  )
}

/** Returns the page after a successful payment of an invoice. */
export function paidInvoicePage(receipt: Receipt, view: PageView): Html {
  const { t } = view.language
  return statusPage(
    {
      icon: 'good',
      title: t('invoicePaid'),
      text: t('invoicePaidText'),
      receipt: renderReceipt(receipt, view.language),
    },
    view,
  )
}

/** Returns the page after a rejected or declined payment: the reason, the amount due and the next step. */
export function declinedInvoicePage(invoice: Invoice, payment: Payment, view: PageView): Html {
  const { t, formatMoney, translateError } = view.language
  const { last4 } = payment.payment_method_details.card
  const title = getDeclineTitle(payment.failure_code, view.language)
  const why = `${translateError(payment.failure_message ?? '')} ${t('cardNotCharged', { last4 })}`
  const details: DetailRow[] = [
    [t('amountRemaining'), formatMoney(getAmountOwed(invoice), invoice.currency)],
    ...invoiceDetails(invoice, view.language),
  ]
  const text = [why, describeStatus(invoice, view.language)]
  return statusPage({ icon: 'ended', title, text, details, link: invoiceLink(invoice, view) }, view)
}

function getAmountOwed({ status, amount_remaining }: Invoice): number {
  return status === 'void' ? 0 : amount_remaining
}

/** Returns the page of a payment that was canceled before the customer completed 3-D Secure. */
export function canceledPaymentPage(invoice: Invoice, view: PageView): Html {
  const { t } = view.language
  const text = `${t('attemptCanceled')} ${describeStatus(invoice, view.language)}`
  return statusPage(
    { icon: 'ended', title: t('nothingToConfirm'), text, link: invoiceLink(invoice, view) },
    view,
  )
}

/** Returns the page of a payment that was already confirmed or rejected. */
export function nothingToConfirmPage({ id }: Payment, view: PageView): Html {
  const { t } = view.language
  const link = html`<a class="button" href="${view.links.confirmationResult(id)}">${t('showResult')}</a>`
  return statusPage({ icon: 'ended', title: t('nothingToConfirm'), text: t('answered'), link }, view)
}

function describeStatus({ status, number }: Invoice, { t }: Language): string {
  if (status === 'paid') return t('invoicePaidSince', { number: number ?? '' })
  if (status === 'void') return t('invoiceVoidSince', { number: number ?? '' })
  return t('payInvoiceAgain')
}

function invoiceLink(invoice: Invoice, { language, links }: PageView): HtmlValue {
  return html`<a class="button" href="${links.invoice(invoice.id)}">${language.t('toInvoice')}</a>`
}
