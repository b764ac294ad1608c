import type { IdPrefix, RuleContext, Stored } from '../../src/domain/changes.ts'
import { type CheckoutSession, createCheckoutSession } from '../../src/domain/checkout-sessions.ts'
import { type Customer, createCustomer } from '../../src/domain/customers.ts'
import { DEFAULT_DUNNING } from '../../src/domain/dunning.ts'
import { eventOf, type UnsequencedEvent } from '../../src/domain/events.ts'
import type { Invoice } from '../../src/domain/invoices.ts'
import { SAMPLES } from '../store/samples.ts'

/** Digits of a number in an id or an address, so that all of them are equally long. */
export const NUMBER_DIGITS = 8
const RECORDS_PER_SECOND = 100
const FAR_AHEAD = 4_000_000_000
const SESSIONS_PER_CUSTOMER = 20
const INVOICE_STATUSES = ['open', 'paid', 'void'] as const
const STATUSES = ['open', 'complete', 'expired'] as const
const INVOICES_PER_DUE_DATE = 20
/** In a mixed set every fifth object is a checkout session, in a billed one an invoice. */
const MIX = 5

/** A thing with the event that tells of it. */
export interface Pair {
  readonly record: Stored
  readonly event: UnsequencedEvent
}

/** What a set of records is made of: customers alone, or every fifth a checkout session or an invoice. */
export type Blend = 'customers' | 'mixed' | 'billed'

/** The id of the customer of that number; takes a placeholder too. */
export const customerId = (number: string) => `cus_Bench00000000000${number}`

/** The address of the customer of that number; takes a placeholder too. */
export const emailOf = (number: string) => `customer.${number}@example.com`

/** A due date in a billed set; takes a placeholder too. */
export const dueDate = (number: string) => `19${number}`

/** How many due dates a billed set of that size has; at each twenty invoices are due. */
export const dueDates = (size: number) => Math.floor(size / MIX / INVOICES_PER_DUE_DATE)

/** A number with all its digits. */
export const digitsOf = (number: number) => String(number).padStart(NUMBER_DIGITS, '0')

/** How many customers of a mixed set of that size have checkout sessions; each has twenty. */
export const customersWithSessions = (size: number) => Math.floor(size / MIX / SESSIONS_PER_CUSTOMER)

/** The record of that number in a set, with its event, as a request would have made them. */
export function pairOf(number: number, { blend, size }: { blend: Blend; size: number }): Pair {
  const now = Math.floor(Date.now() / 1000) - Math.ceil((size - number) / RECORDS_PER_SECOND)
  const context = ruleContextOf(now, (prefix) => `${prefix}Bench00000000000${digitsOf(number)}`)
  if (blend === 'customers' || number % MIX !== MIX - 1) return told(newCustomer(number, context), context)
  const place = Math.floor(number / MIX)
  return told(blend === 'billed' ? newInvoice(place, context) : newSession(place, context), context)
}

/** A new customer with an id of its own, and its event. */
export function freshPair(number: number, newId: RuleContext['newId']): Pair {
  const context = ruleContextOf(Math.floor(Date.now() / 1000), newId)
  return told(newCustomer(number, context), context)
}

function told(record: Customer | CheckoutSession | Invoice, context: RuleContext): Pair {
  const change = { event: `${record.object}.created`, before: null, after: record } as const
  const event = eventOf(change, { id: context.newId('req_'), idempotency_key: null }, context)
  if (event === null) throw new Error(`${change.event} is told by no event`)
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

function ruleContextOf(now: number, newId: (prefix: IdPrefix) => string): RuleContext {
  const checkoutUrl = 'http://127.0.0.1:4101'
  return { now, wallNow: now, newId, fingerprint: () => '', dunning: DEFAULT_DUNNING, checkoutUrl }
}
