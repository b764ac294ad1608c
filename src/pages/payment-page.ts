import type { Customer } from '../domain/customers.ts'
import type { PaymentSession } from '../domain/payment-sessions.ts'
import { formatMoney } from './amounts.ts'
import { cardForm, type FormState } from './card-form.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'
import type { Links } from './links.ts'
import { paymentSummary } from './order-summary.ts'

/** An open payment session and its customer. */
export interface OpenPayment {
  readonly session: PaymentSession
  readonly customer: Customer
}

/** The page where a buyer pays once. */
export function paymentPage({ session, customer }: OpenPayment, state: FormState, links: Links): string {
  const amount = formatMoney(session.amount, session.currency)
  const form = cardForm(
    { action: links.session(session), title: 'Card details', button: `Pay ${amount}`, consent: null },
    state,
  )
  const main = html`${paymentSummary(session, customer)}
${form}`
  const title = state.notice === null ? `Pay ${amount}` : `Error: ${state.notice.title}`
  return layout({ title, main, shape: 'split' }, links)
}
