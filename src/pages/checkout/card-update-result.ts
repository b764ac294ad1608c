import type { Invoice } from '../../domain/billing/invoices.ts'
import type { CardSession } from '../../domain/completion/card-sessions.ts'
import type { CardDetails } from '../../domain/payments/payment-methods.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { loadAll } from '../../engine/load-related.ts'
import type { TransactionReader } from '../forms/form-submission.ts'
import type { Language } from '../languages/language.ts'
import { loadInvoiceReceipt } from '../receipt/load-receipt.ts'
import { type Receipt, renderReceipts, shortCard } from '../receipt/receipt.ts'
import type { SessionResultContent } from '../status/result-page.ts'
import type { PageView } from '../view/page-view.ts'

/** A payment of an open invoice with the new card. */
interface CardPayment {
  readonly payment: Payment
  readonly invoice: Invoice | null
  /** Null when the payment was declined. */
  readonly receipt: Receipt | null
}

/** The saved card of a complete session, and the payments that its completion made. */
export interface CardUpdateResult {
  readonly card: CardDetails
  readonly payments: readonly CardPayment[]
}

/** Loads the result of a complete card session. */
export async function loadCardUpdateResult(
  reader: TransactionReader,
  session: CardSession,
  view: PageView,
): Promise<CardUpdateResult> {
  const { customer, payment_method, completed_at } = session
  const method = await reader.get('payment_methods', payment_method ?? '')
  if (method === null || completed_at === null) throw new Error('the card session is not complete')
  const ranges = [{ field: 'created', gte: completed_at, lte: completed_at }]
  const payments = await loadAll(reader, 'payments', { where: { customer }, ranges })
  const own = payments.filter((payment) => payment.payment_method === payment_method && !payment.off_session)
  const paid = own.map(async (payment) => {
    const invoice = await reader.get('invoices', payment.invoice ?? '')
    const isPaid = payment.status === 'succeeded' && invoice !== null
    if (!isPaid) return { payment, invoice, receipt: null }
    const receipt = await loadInvoiceReceipt(reader, invoice, view)
    return { payment, invoice, receipt: { ...receipt, payment } }
  })
  return { card: method.card, payments: await Promise.all(paid) }
}

/** Returns the content of the page after a card session was completed: the card, and each paid or declined invoice. */
export function createCardUpdatedContent(
  { card, payments }: CardUpdateResult,
  language: Language,
): SessionResultContent {
  const { t, formatMoney } = language
  const isPaid = payments.every(({ payment }) => payment.status === 'succeeded')
  const unpaidText = isPaid ? 'cardUpdatedPaid' : 'cardUpdatedUnpaid'
  const receipts = payments.flatMap(({ receipt }) => receipt ?? [])
  const declined = payments
    .filter(({ receipt }) => receipt === null)
    .map(({ payment: { amount, currency }, invoice }) => {
      const name = t('invoiceNumber', { number: invoice?.number ?? '' })
      return [name, `${formatMoney(amount, currency)}: ${t('notPaid')}`] as const
    })
  return {
    title: t('cardUpdated'),
    text: t(payments.length === 0 ? 'cardUpdatedText' : unpaidText),
    ...(receipts.length > 0 && { receipt: renderReceipts(receipts, language) }),
    details: [receipts.length === 0 ? [t('card'), shortCard(card, language)] : null, ...declined],
  }
}
