import type { CardSession } from '../../domain/card-sessions.ts'
import type { Invoice } from '../../domain/invoices.ts'
import type { CardDetails } from '../../domain/payment-methods.ts'
import type { Payment } from '../../domain/payments.ts'
import { loadAll } from '../../engine/load-related.ts'
import type { TransactionReader } from '../forms/submission.ts'
import type { Language } from '../languages/language.ts'
import { getBrandName } from '../markup/card-brands.ts'
import type { SessionResultContent } from '../status/result-page.ts'

/** A payment of an open invoice with the new card. */
interface CardPayment {
  readonly payment: Payment
  readonly invoice: Invoice | null
}

/** The saved card of a complete session, and the payments that its completion made. */
export interface CardUpdateResult {
  readonly card: CardDetails
  readonly payments: readonly CardPayment[]
}

/** Loads the result of a complete card session. */
export async function loadCardUpdateResult(
  reader: TransactionReader,
  { customer, payment_method, completed_at }: CardSession,
): Promise<CardUpdateResult> {
  const method = await reader.get('payment_methods', payment_method ?? '')
  if (method === null || completed_at === null) throw new Error('the card session is not complete')
  const ranges = [{ field: 'created', gte: completed_at, lte: completed_at }]
  const payments = await loadAll(reader, 'payments', { where: { customer }, ranges })
  const own = payments.filter((payment) => payment.payment_method === payment_method && !payment.off_session)
  const paid = own.map(async (payment) => ({
    payment,
    invoice: await reader.get('invoices', payment.invoice ?? ''),
  }))
  return { card: method.card, payments: await Promise.all(paid) }
}

/** Returns the content of the page after a card session was completed: the card, and each paid or declined invoice. */
export function createCardUpdatedContent(
  { card, payments }: CardUpdateResult,
  { t, formatMoney }: Language,
): SessionResultContent {
  const brand = getBrandName(card.brand) ?? t('card')
  const isPaid = payments.every(({ payment }) => payment.status === 'succeeded')
  const unpaidText = isPaid ? 'cardUpdatedPaid' : 'cardUpdatedUnpaid'
  return {
    title: t('cardUpdated'),
    text: t(payments.length === 0 ? 'cardUpdatedText' : unpaidText),
    details: [
      [t('card'), t('cardEnding', { brand, last4: card.last4 })],
      ...payments.map(({ payment: { status, amount, currency }, invoice }) => {
        const money = formatMoney(amount, currency)
        const name = t('invoiceNumber', { number: invoice?.number ?? '' })
        return [name, status === 'succeeded' ? money : `${money}: ${t('notPaid')}`] as const
      }),
    ],
  }
}
