import type { CheckoutSession } from '../../domain/checkout-sessions.ts'
import type { Invoice } from '../../domain/invoices.ts'
import type { PaymentSession } from '../../domain/payment-sessions.ts'
import type { Refund } from '../../domain/refunds.ts'
import { amountIn } from './values.ts'

/** One line for people on what completing a session did; null for one that is not complete. */
export function outcomeOf(session: CheckoutSession | PaymentSession): string | null {
  if (session.status !== 'complete') return null
  if (session.object === 'payment_session') {
    return `Paid ${paid(session.amount, session.currency)}: payment ${session.payment}.`
  }
  const made = `subscription ${session.subscription}`
  switch (session.payment_status) {
    case 'paid':
      return `Paid ${paid(session.amount_total, session.currency)}: ${made}, invoice ${session.invoice}.`
    case 'unpaid':
      return `Nothing charged: ${made}; invoice ${session.invoice} was sent.`
    case 'no_payment_required':
      return `Nothing to pay now: ${made}.`
  }
}

/** One line for people on how an invoice was settled. */
export function settlementOf({ total, currency, paid_out_of_band, latest_payment, number }: Invoice): string {
  const how = paid_out_of_band ? 'elsewhere, without a payment' : `by payment ${latest_payment}`
  return `Paid ${paid(total, currency)}: invoice ${number} is settled ${how}.`
}

/** One line for people on what became of a refund. */
export function refundOutcome({ id, amount, currency, status }: Refund): string {
  const way = status === 'pending' ? 'on its way back' : 'given back'
  return `${paid(amount, currency)} ${way}: refund ${id} is ${status}.`
}

function paid(amount: number, currency: string): string {
  return amountIn('amount', amount, currency) ?? `${amount} ${currency}`
}

/** One line for people on a new session, or one that was awaited; `topic` is where its commands are. */
export function sessionNote(session: CheckoutSession | PaymentSession, topic: string): string | null {
  if (session.status !== 'open') return outcomeOf(session)
  return `Open its page: paycli ${topic} open ${session.id}   Or pay here: paycli ${topic} complete ${session.id} --card visa`
}
