import { endWait } from './authentications.ts'
import type { Owing } from './billing.ts'
import { finalize } from './billing.ts'
import { type Account, Books } from './billing-unit-of-work.ts'
import { cardFailure, declineRefusal, issuerOfApproved, REJECTED } from './card-reading.ts'
import type { Decision, World } from './changes.ts'
import { type ChargedCard, collect, endSubscription, endWaiting, recoverIfSettled } from './charge-invoice.ts'
import { isGone } from './customers.ts'
import {
  failInvoicePayment,
  markInvoiceUncollectible,
  payInvoice,
  payOutOfBand,
  voidInvoice,
} from './invoice-collection.ts'
import type { Invoice, InvoiceStatus } from './invoices.ts'
import { type Failure, failPayment, type Payment, succeedPayment } from './payments.ts'
import { Refusal } from './refusal.ts'
import { requireLive, type Subscription } from './subscriptions.ts'

/** How somebody pays an invoice by hand. */
export interface PaymentByHand {
  /** The card to charge, in place of the subscription's. */
  readonly card: ChargedCard | null
  readonly isOffSession: boolean
  readonly isOutOfBand: boolean
}

/** Ends a subscription at once; its open invoices stay open, but are no longer collected. */
export function cancelNow(account: Account, world: World): Decision<Subscription> {
  requireLive(account.subscription, 'cancel')
  const books = new Books(account, world)
  endSubscription(books, 'requested')
  return { changes: books.changes, result: books.subscription }
}

/** Opens a draft under the next number. */
export function finalizeByHand({ account, invoice }: Owing, world: World): Decision<Invoice> {
  requireState(invoice, 'finalize', ['draft'])
  const books = new Books(account, world)
  finalize(books, invoice)
  return { changes: books.changes, result: current(books, invoice) }
}

/** Pays an open or written-off invoice; a card that is declined leaves its attempt behind and refuses with 402. */
export function payByHand(owing: Owing, { card, ...how }: PaymentByHand, world: World): Decision<Invoice> {
  const { account, invoice, tried } = owing
  requireState(invoice, 'pay', ['open', 'uncollectible'])
  const books = new Books(account, world)
  if (how.isOutOfBand) {
    endWaiting(books, tried, 'superseded')
    books.add(payOutOfBand(invoice, world))
    recoverIfSettled(books)
    return { changes: books.changes, result: current(books, invoice) }
  }
  if (isGone(account.customer)) throw noCustomer(invoice)
  const charged = card ?? account.card
  if (charged === null) throw noCard(invoice)
  const collecting = { invoice, tried, card: charged, isAutomatic: false, isOffSession: how.isOffSession }
  const collected = collect(books, collecting)
  if (collected.kind === 'paid') return { changes: books.changes, result: current(books, invoice) }
  return { changes: books.changes, refusal: declineRefusal(collected.failure, collected.payment) }
}

function noCustomer({ id, customer }: Invoice): Refusal {
  return new Refusal(
    'customer_deleted',
    `Cannot charge a card for invoice '${id}': customer '${customer}' was deleted. Settle it with paid_out_of_band, void it, or mark it uncollectible.`,
  )
}

function noCard({ id, customer }: Invoice): Refusal {
  return new Refusal(
    'payment_method_missing',
    `Invoice '${id}' has no card to charge: customer '${customer}' has no default card. Save one with a checkout session, name another card with payment_method, or give paid_out_of_band.`,
    { param: 'payment_method' },
  )
}

/** Takes an invoice back; an attempt that waits for its buyer is canceled first. */
export function voidByHand({ account, invoice, tried }: Owing, world: World): Decision<Invoice> {
  requireState(invoice, 'void', ['draft', 'open', 'uncollectible'])
  const books = new Books(account, world)
  endWaiting(books, tried, 'invoice_voided')
  books.add(voidInvoice(invoice, world))
  recoverIfSettled(books)
  return { changes: books.changes, result: current(books, invoice) }
}

/** Writes an open invoice off. */
export function writeOffByHand({ account, invoice }: Owing, world: World): Decision<Invoice> {
  requireState(invoice, 'mark uncollectible', ['open'])
  const books = new Books(account, world)
  books.add(markInvoiceUncollectible(invoice, world))
  recoverIfSettled(books)
  return { changes: books.changes, result: current(books, invoice) }
}

/** The buyer's answer to 3-D Secure for an invoice: approving lets the issuer decide, rejecting fails the attempt. */
export function answerInvoiceChallenge(owing: Owing, isApproved: boolean, world: World): Decision<Invoice> {
  const { invoice, tried } = owing
  requireState(invoice, 'authenticate a payment of', ['open', 'uncollectible'])
  const { authentication, waitingPayment: payment } = tried
  if (authentication === null || payment === null) throw nothingWaits(invoice)
  const issuer = isApproved ? issuerOfApproved(authentication.card, false, world.now) : REJECTED
  const decision =
    issuer.kind === 'decline'
      ? failApproved(owing, { payment, failure: cardFailure(issuer) }, world)
      : payApproved(owing, payment, world)
  return { ...decision, changes: [...endWait(authentication), ...decision.changes] }
}

function nothingWaits({ id }: Invoice): Refusal {
  return new Refusal(
    'invoice_unexpected_state',
    `No 3-D Secure authentication is waiting for invoice '${id}'. Begin one with POST /v1/invoices/${id}/pay with {"off_session":false} and a card that asks for it.`,
  )
}

/** The buyer approved the charge of an invoice, and the issuer answered. */
export function payApproved({ account, invoice }: Owing, payment: Payment, world: World): Decision<Invoice> {
  const books = new Books(account, world)
  const attempt = { isAutomatic: false, payment: payment.id }
  books.add(succeedPayment(payment, {}, world), payInvoice(invoice, attempt, world))
  recoverIfSettled(books)
  return { changes: books.changes, result: current(books, invoice) }
}

/** The buyer, or the issuer after an approval, said no to the charge of an invoice. */
export function failApproved(
  { account, invoice }: Owing,
  refused: { readonly payment: Payment; readonly failure: Failure },
  world: World,
): Decision<Invoice> {
  const books = new Books(account, world)
  const failed = failPayment(refused.payment, refused.failure, world)
  const { code, decline_code, message } = refused.failure
  const attempt = { isAutomatic: false, payment: refused.payment.id }
  const error = { code, decline_code, message }
  books.add(failed, failInvoicePayment(invoice, { ...attempt, error, next: invoice.next_payment_attempt }))
  return { changes: books.changes, refusal: declineRefusal(refused.failure, failed.after) }
}

function current(books: Books, { id }: Invoice): Invoice {
  const found = books.invoices.find((invoice) => invoice.id === id)
  if (found === undefined) throw new Error(`invoice ${id} is not in the books`)
  return found
}

function requireState(invoice: Invoice, action: string, allowed: readonly InvoiceStatus[]): void {
  if (allowed.includes(invoice.status)) return
  const states = allowed.join(' or ')
  throw new Refusal(
    'invoice_unexpected_state',
    `Cannot ${action} invoice '${invoice.id}': it is ${invoice.status}, and only an invoice that is ${states} can be. Look at it with GET /v1/invoices/${invoice.id}.`,
  )
}
