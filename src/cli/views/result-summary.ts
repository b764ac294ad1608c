import type { Invoice } from '../../domain/billing/invoices.ts'
import type { CompletableSession, HostedSession } from '../../domain/completion/hosted-session.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import type { Refund } from '../../domain/payments/refunds.ts'
import { formatAmountField } from '../../presentation/field-values.ts'
import { suggestCard } from './next-step.ts'

/** Summarizes a completed session in one line; null when the session is not complete. */
export function summarizeSession(session: CompletableSession): string | null {
  if (session.status !== 'complete') return null
  if (session.object === 'card_session') return `Saved the new card ${session.payment_method}.`
  if (session.object === 'payment_session') {
    const money = formatMoney(session.amount, session.currency)
    if (session.payment_status === 'paid') return `Paid ${money}: payment ${session.payment}.`
    return session.capture_method === 'automatic'
      ? describeDebit(money, session.payment)
      : `Reserved ${money}. Capture it: paycli payments capture ${session.payment}`
  }
  const subscription = `subscription ${session.subscription}`
  switch (session.payment_status) {
    case 'paid': {
      // Credit of the customer may have paid a part of the invoice.
      const total = formatMoney(session.amount_total, session.currency)
      return `Paid invoice ${session.invoice} of ${total}: ${subscription}.`
    }
    case 'unpaid':
      if (session.payment)
        return `${describeDebit(formatMoney(session.amount_total, session.currency), session.payment)} It starts ${subscription}.`
      return `Nothing charged: ${subscription}; invoice ${session.invoice} was sent.`
    case 'no_payment_required':
      return `Nothing to pay now: ${subscription}.`
  }
}

function describeDebit(money: string, payment: string | null): string {
  return `Debits ${money}. The outcome of payment ${payment} is known in some days.`
}

/** Summarizes a payment that succeeded, whose amount is reserved, or that is a debit, in one line. */
export function summarizePayment({ id, status, amount, amount_captured, currency }: Payment): string {
  if (status === 'processing') return describeDebit(formatMoney(amount, currency), id)
  return status === 'requires_capture'
    ? `Reserved ${formatMoney(amount, currency)}. Capture it: paycli payments capture ${id}`
    : `Paid ${formatMoney(amount_captured, currency)}: payment ${id}.`
}

/** Summarizes in one line whether a payment paid its invoice. */
export function summarizeInvoicePayment(payment: Payment): string {
  const { id, invoice, status, decline_code } = payment
  const what = `invoice ${invoice} of ${formatMoney(payment.amount, payment.currency)}`
  if (status === 'succeeded') return `Paid ${what}: payment ${id}.`
  return `Not paid: ${what}: ${decline_code ?? status} (payment ${id}).`
}

/** Summarizes the payment of a paid invoice in one line. */
export function summarizePaidInvoice({
  amount_due,
  currency,
  paid_out_of_band,
  latest_payment,
  number,
  status,
}: Invoice): string {
  if (status === 'open' || status === 'uncollectible')
    return describeDebit(formatMoney(amount_due, currency), latest_payment)
  const how = paid_out_of_band ? 'out of band, without a payment' : `by payment ${latest_payment}`
  return `Paid ${formatMoney(amount_due, currency)}: invoice ${number} is settled ${how}.`
}

/** Summarizes the status of a refund in one line. */
export function summarizeRefund({ id, amount, currency, status }: Refund): string {
  return `Refund ${id} of ${formatMoney(amount, currency)} is ${status}.`
}

/** Formats an amount, given in minor units, with its currency, such as 12.50 EUR. */
export function formatMoney(amount: number, currency: string): string {
  return formatAmountField('amount', amount, currency) ?? `${amount} ${currency}`
}

/**
 * Returns the note below a session: the next commands of `topic` for an open session, otherwise the summary of the
 * session.
 */
export function formatSessionNote(session: HostedSession, topic: string): string | null {
  if (session.object === 'portal_session') return `Open its page:\n  paycli ${topic} open ${session.id}`
  if (session.status !== 'open') return summarizeSession(session)
  const card = suggestCard({ ...session })
  const commands = [`${topic} open ${session.id}`, `${topic} complete ${session.id} --card ${card}`]
  const act = session.object === 'card_session' ? 'enter a card' : 'pay'
  return [
    `Open the page of the session, or ${act} without a browser:`,
    ...commands.map((one) => `  paycli ${one}`),
  ].join('\n')
}
