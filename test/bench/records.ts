import type { Invoice } from '../../src/domain/billing/invoices.ts'
import type { IdPrefix, RuleContext, StoredObject } from '../../src/domain/core/changes.ts'
import { DEFAULT_DUNNING_POLICY } from '../../src/domain/core/dunning.ts'
import { toEvent, type UnsequencedEvent } from '../../src/domain/events/events.ts'
import { type Customer, createCustomer } from '../../src/domain/payments/customers.ts'
import type { Payment } from '../../src/domain/payments/payments.ts'
import { type CheckoutSession, createCheckoutSession } from '../../src/domain/sessions/checkout-sessions.ts'
import { SAMPLES } from '../store/samples.ts'

/** Digits of numbers in ids and email addresses, so that all have the same length. */
export const NUMBER_DIGITS = 8
const RECORDS_PER_SECOND = 100
const FAR_AHEAD = 4_000_000_000
const SESSIONS_PER_CUSTOMER = 20
const INVOICE_STATUSES = ['open', 'paid', 'void'] as const
const PAYMENT_STATUSES = ['succeeded', 'succeeded', 'failed'] as const
const STATUSES = ['open', 'complete', 'expired'] as const
const INVOICES_PER_DUE_DATE = 20
/** These values are constants so that events share the strings; a template would create one string per record. */
const CREATED = {
  customer: 'customer.created',
  checkout_session: 'checkout_session.created',
  invoice: 'invoice.created',
  payment: 'payment.created',
} as const
/** Every fifth object is a checkout session in a mixed set, an invoice in a billed set, and a payment in a paid set. */
const MIX = 5

/** A record and its event. */
export interface RecordWithEvent {
  readonly record: StoredObject
  readonly event: UnsequencedEvent
}

/** The kinds of records in a set: only customers, or customers with another kind for every fifth record. */
export type RecordMix = 'customers' | keyof typeof OTHERS

/** Returns the id of the customer with this number or placeholder. */
export const customerId = (number: string) => `cus_Bench00000000000${number}`

/** Returns the email address of the customer with this number or placeholder. */
export const emailOf = (number: string) => `customer.${number}@example.com`

/** Returns a due date of a billed set for a number or placeholder. */
export const dueDate = (number: string) => `19${number}`

/** Returns the number of due dates in a billed set of this size; each due date has twenty invoices. */
export const dueDates = (size: number) => Math.floor(size / MIX / INVOICES_PER_DUE_DATE)

/** Pads a number to its full number of digits. */
export const digitsOf = (number: number) => String(number).padStart(NUMBER_DIGITS, '0')

/** Returns the number of customers with checkout sessions in a mixed set of this size; each has twenty sessions. */
export const customersWithSessions = (size: number) => Math.floor(size / MIX / SESSIONS_PER_CUSTOMER)

/** Returns record `number` of a set with its event, as a request would have created them. */
export function recordWithEvent(
  number: number,
  { blend, size }: { blend: RecordMix; size: number },
): RecordWithEvent {
  const now = Math.floor(Date.now() / 1000) - Math.ceil((size - number) / RECORDS_PER_SECOND)
  const context = ruleContextOf(now, (prefix) => `${prefix}Bench00000000000${digitsOf(number)}`)
  if (blend === 'customers' || number % MIX !== MIX - 1) return told(newCustomer(number, context), context)
  const place = Math.floor(number / MIX)
  return told(OTHERS[blend](place, context), context)
}

/** Returns a new customer with a new id, and its event. */
export function newCustomerWithEvent(number: number, newId: RuleContext['newId']): RecordWithEvent {
  const context = ruleContextOf(Math.floor(Date.now() / 1000), newId)
  return told(newCustomer(number, context), context)
}

function told(record: Customer | CheckoutSession | Invoice | Payment, context: RuleContext): RecordWithEvent {
  const change = { event: CREATED[record.object], before: null, after: record } as const
  const event = toEvent(change, { id: context.newId('req_'), idempotency_key: null }, context)
  if (event === null) throw new Error(`expected an event for ${change.event}`)
  return { record, event }
}

function newCustomer(number: number, context: RuleContext): Customer {
  const digits = digitsOf(number)
  return createCustomer({ email: emailOf(digits), name: `Customer ${digits}` }, context).after
}

function newSession(number: number, context: RuleContext): CheckoutSession {
  const owner = newCustomer(Math.floor(number / SESSIONS_PER_CUSTOMER), {
    ...context,
    newId: () => customerId(digitsOf(Math.floor(number / SESSIONS_PER_CUSTOMER))),
  })
  const fields = {
    currency: 'eur',
    customer: owner.id,
    description: 'Membership',
    subscription_data: { interval: 'month', items: [{ price_data: { amount: 1900, tax_percent: 19 } }] },
  } as const
  const session = createCheckoutSession(fields, owner, context).after
  return { ...session, status: STATUSES[number % STATUSES.length] ?? 'open', expires_at: FAR_AHEAD }
}

function newInvoice(number: number, { now, newId }: RuleContext): Invoice {
  const due = dueDate(digitsOf(Math.floor(number / INVOICES_PER_DUE_DATE)))
  const status = INVOICE_STATUSES[number % INVOICE_STATUSES.length] ?? 'open'
  return { ...SAMPLES.invoices, id: newId('in_'), created: now, status, due_date: Number(due) }
}

function newPayment(number: number, { now, newId }: RuleContext): Payment {
  const status = PAYMENT_STATUSES[number % PAYMENT_STATUSES.length] ?? 'succeeded'
  const own = {
    id: newId('py_'),
    created: now,
    amount: 100 + number,
    status,
    invoice: null,
    checkout_session: null,
  }
  return { ...SAMPLES.payments, ...own, customer: customerId(digitsOf(number * MIX)) }
}

const OTHERS = { mixed: newSession, billed: newInvoice, paid: newPayment }

function ruleContextOf(now: number, newId: (prefix: IdPrefix) => string): RuleContext {
  const checkoutUrl = 'http://127.0.0.1:4101'
  return { now, wallNow: now, newId, fingerprint: () => '', dunning: DEFAULT_DUNNING_POLICY, checkoutUrl }
}
