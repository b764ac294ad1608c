import type { CardSession } from '../../domain/completion/card-sessions.ts'
import { loadMatching } from '../../engine/load-related.ts'
import type { TransactionReader } from '../forms/form-submission.ts'
import { loadInvoiceReceipt } from '../receipt/load-receipt.ts'
import { createPaymentMethodRow, createReceiptTexts } from '../receipt/receipt.ts'
import type { SessionResultContent } from '../status/result-page.ts'
import type { PageView } from '../view/page-view.ts'
import type { ReceiptTexts } from '../view/receipt-texts.ts'

/** Loads the content of the page of a completed card session: the card, and each paid or declined invoice. */
export async function loadCardUpdatedContent(
  reader: TransactionReader,
  session: CardSession,
  view: PageView,
): Promise<SessionResultContent> {
  const { customer, payment_method, completed_at } = session
  const { t, formatMoney } = view.language
  const method = await reader.get('payment_methods', payment_method ?? '')
  if (method === null || completed_at === null) throw new Error('the card session is not complete')
  const ranges = [{ field: 'created', gte: completed_at, lte: completed_at }]
  const all = await loadMatching(reader, 'payments', { where: { customer }, ranges })
  const payments = all.filter((payment) => payment.payment_method === payment_method && !payment.off_session)
  const receipts: ReceiptTexts[] = []
  const declined: [name: string, value: string][] = []
  for (const payment of payments) {
    const invoice = await reader.get('invoices', payment.invoice ?? '')
    if (payment.status === 'succeeded' && invoice !== null) {
      const receipt = await loadInvoiceReceipt(reader, invoice, view)
      receipts.push(createReceiptTexts({ ...receipt, payment }, view.language))
    } else {
      const name = t('invoiceNumber', { number: invoice?.number ?? '' })
      declined.push([name, `${formatMoney(payment.amount, payment.currency)}: ${t('notPaid')}`])
    }
  }
  const isPaid = payments.every(({ status }) => status === 'succeeded')
  const paymentsText = isPaid ? 'cardUpdatedPaid' : 'cardUpdatedUnpaid'
  return {
    title: t('cardUpdated'),
    text: t(payments.length === 0 ? 'cardUpdatedText' : paymentsText),
    receipts,
    details: [receipts.length === 0 ? createPaymentMethodRow(method, view.language) : null, ...declined],
  }
}
