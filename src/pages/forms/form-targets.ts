import type { Owing } from '../../domain/billing.ts'
import type { Attempt, Submitted } from '../../domain/card-submission.ts'
import { isGone } from '../../domain/customers.ts'
import type { InvoiceSubmitted } from '../../domain/invoice-submission.ts'
import type { Invoice } from '../../domain/invoices.ts'
import type { Payment } from '../../domain/payments.ts'
import { loadAttempt } from '../../engine/attempts.ts'
import { loadOwing } from '../../engine/load-billing.ts'
import { onClockOf } from '../../engine/time-source.ts'
import { loadWaiting } from '../../engine/waiting.ts'
import type { AnySession } from '../view/links.ts'
import type { Reader, Subject } from './submission.ts'

/** A session as what a form acts on, while it is open. */
export function sessionSubject({ object, id }: AnySession): Subject<Attempt, Submitted> {
  return {
    id,
    async load(reader) {
      const session = await findSession(reader, object, id)
      // Only an open session is sure to have a customer still.
      return session?.status === 'open' ? loadAttempt(reader, session) : null
    },
    when: ({ session }) => onClockOf(session),
    outcomeOf: (submitted) => (submitted.kind === 'authenticate' ? submitted : { kind: submitted.kind }),
  }
}

/** An invoice as what a form pays, while it can be paid. */
export function payableSubject({ id }: Invoice): Subject<Owing, InvoiceSubmitted> {
  return {
    id,
    async load(reader) {
      const invoice = await reader.get('invoices', id)
      return invoice !== null && (await isPayable(reader, invoice)) ? loadOwing(reader, invoice) : null
    },
    when: ({ invoice }) => onClockOf(invoice),
    outcomeOf: (submitted) => submitted,
  }
}

/** Whether something is still owed. */
export function isOwed({ status }: Invoice): boolean {
  return status === 'open' || status === 'uncollectible'
}

/** Whether something is still owed by a customer who was not deleted. */
export async function isPayable(reader: Reader, invoice: Invoice): Promise<boolean> {
  return isOwed(invoice) && !isGone(await reader.get('customers', invoice.customer))
}

/** An invoice as what a form acts on, while a payment of it waits for its buyer. */
export function invoiceSubject({ id }: Invoice, payment: Payment): Subject<Owing, Invoice> {
  return {
    id,
    async load(reader) {
      const invoice = await reader.get('invoices', id)
      const { authentication } = await loadWaiting(reader, id)
      // Whatever settles an invoice ends the wait too.
      const isWaiting = authentication?.payment === payment.id
      return invoice !== null && isWaiting ? loadOwing(reader, invoice) : null
    },
    when: ({ invoice }) => onClockOf(invoice),
    outcomeOf: () => ({ kind: 'done' }),
  }
}

/** The session as it is now. */
export function findSession(
  reader: Reader,
  object: AnySession['object'],
  id: string,
): Promise<AnySession | null> {
  return object === 'checkout_session'
    ? reader.get('checkout_sessions', id)
    : reader.get('payment_sessions', id)
}
