import { events } from '../../api/operations/events.ts'
import type { Client } from '../../client/client.ts'
import type { Invoice } from '../../domain/billing/invoices.ts'
import type { Subscription } from '../../domain/billing/subscriptions.ts'
import { EVENT_TYPES } from '../../domain/core/event-types.ts'
import type { Customer } from '../../domain/payments/customers.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import type { Refund } from '../../domain/payments/refunds.ts'
import { readPages } from '../request/paginate.ts'
import { getMonthStart, SIMULATION_START } from './plan.ts'
import { getMonthName } from './totals.ts'

/** The values that are reconciled for each customer and month: `access` is 1 or 0, other values are in minor units. */
export const LEDGER_COLUMNS = ['paid', 'refunded', 'credit', 'tax', 'access'] as const

export type LedgerColumn = (typeof LEDGER_COLUMNS)[number]

/** A change of a value by an event; `at` is in Unix seconds. */
export interface LedgerEntry {
  readonly column: LedgerColumn
  readonly at: number
  readonly amount: number
  /** The object whose timeline explains the entry. */
  readonly object: string
}

/** The entries of a customer, oldest first, and the features by which differing customers are grouped. */
export interface CustomerLedger {
  readonly entries: LedgerEntry[]
  readonly features: Set<string>
}

/** The entries of all customers, by customer id. */
export type CustomerLedgers = ReadonlyMap<string, CustomerLedger>

/** The columns whose value is the state at the end of the month, not the sum of the month. */
export const MONTH_END_STATE_COLUMNS: ReadonlySet<LedgerColumn> = new Set(['credit', 'access'])

/** The events that change a value or a feature. */
const TYPES = [
  ...(['customer.created', 'customer.updated', 'payment.succeeded', 'invoice.paid'] as const),
  ...(['refund.created', 'refund.failed', 'dispute.created'] as const),
  ...EVENT_TYPES.filter((type) => type.startsWith('subscription.')),
]

/** The required part of an event: the whole log of a year would not fit into memory. */
type Recorded = Pick<LedgerEntry, 'at'> & {
  readonly id: string
  readonly type: string
  readonly object: unknown
}

/** Reads the event log of a clock. Customers of `duplicated` had deliveries that were sent twice. */
export async function readCustomerLedgers(
  client: Client,
  clock: string,
  duplicated: readonly string[],
): Promise<CustomerLedgers> {
  const { found } = await readPages(async (cursor) => {
    const { data, has_more } = await client.call(events.list, { ...cursor, test_clock: clock, types: TYPES })
    return {
      data: data.map(({ id, type, created, data: { object } }) => ({
        id,
        type,
        at: created,
        object: shorten(object),
      })),
      has_more,
    }
  }, Infinity)
  const ledgers = createCustomerLedgers(found.toReversed())
  for (const customer of duplicated) ledgers.get(customer)?.features.add('a webhook that was delivered twice')
  return ledgers
}

// Most of the text of an invoice is in fields that are not needed.
function shorten(object: object): object {
  const { lines, ...others } = object as Invoice
  return lines === undefined ? object : { id: others.id, customer: others.customer, tax: others.tax, lines }
}

/** Creates the ledgers of customers from events, oldest first. */
export function createCustomerLedgers(log: readonly Recorded[]): CustomerLedgers {
  const ledgers = new Map<string, CustomerLedger>()
  const payments = new Map<string, number>()
  for (const { type, at, object } of log) {
    if (type === 'customer.created')
      ledgers.set((object as Customer).id, { entries: [], features: new Set() })
    const { customer = (object as Customer).id } = object as { readonly customer?: string }
    const ledger = ledgers.get(customer)
    if (ledger === undefined) continue
    const add = (column: LedgerColumn, amount: number, id: string) => {
      ledger.entries.push({ column, at, amount, object: id })
      if (!MONTH_END_STATE_COLUMNS.has(column))
        for (const feature of listMonthEdges(at)) ledger.features.add(feature)
    }
    if (type.startsWith('subscription.')) addSubscription(type, object as Subscription, ledger, add)
    else if (type === 'customer.updated') addCredit(object as Customer, ledger, add)
    else if (type === 'invoice.paid') addInvoice(object as Invoice, ledger, add)
    else if (type === 'payment.succeeded') {
      const { id, amount_captured } = object as Payment
      payments.set(id, amount_captured)
      add('paid', amount_captured, id)
    } else if (type.startsWith('refund.')) {
      const { amount, payment } = object as Refund
      add('refunded', type === 'refund.failed' ? -amount : amount, payment)
      ledger.features.add(amount === payments.get(payment) ? 'a full refund' : 'a partial refund')
    } else if (type === 'dispute.created') ledger.features.add('a dispute')
  }
  return ledgers
}

type AddEntry = (column: LedgerColumn, amount: number, object: string) => void

function addSubscription(
  type: string,
  object: Subscription,
  { features }: CustomerLedger,
  add: AddEntry,
): void {
  const { id, status, currency, interval, trial_start, discount, pause_collection } = object
  add('access', ['trialing', 'active', 'past_due'].includes(status) ? 1 : 0, id)
  const found = [
    [true, `${currency.toUpperCase()} as the currency`],
    [true, `a billing period in ${interval}s`],
    [trial_start !== null, 'a trial'],
    [discount !== null, 'a coupon'],
    [pause_collection !== null, 'a pause'],
    [type === 'subscription.recovered', 'a decline that was recovered'],
    [object.cancellation_reason === 'payment_failed', 'retries that were exhausted'],
    [object.cancellation_reason === 'requested', 'a cancellation'],
  ] as const
  for (const [isFound, feature] of found) if (isFound) features.add(feature)
}

function addCredit({ id, balances }: Customer, { entries, features }: CustomerLedger, add: AddEntry): void {
  const credit = -Object.values(balances).reduce((sum, balance) => sum + balance, 0)
  const before = entries.findLast(({ column }) => column === 'credit')?.amount ?? 0
  if (credit === before) return
  add('credit', credit, id)
  features.add('a credit balance')
}

function addInvoice({ id, tax, lines }: Invoice, { features }: CustomerLedger, add: AddEntry): void {
  add('tax', tax, id)
  if (lines.some(({ proration }) => proration)) features.add('a proration')
  if (lines.filter(({ tax_percent }) => tax_percent > 0).length > 1)
    features.add('an invoice with several taxed lines')
}

const HOUR = 3600
/** Distances from the start or end of a month in hours, the shorter and more specific distance first. */
const EDGE_HOURS = [6, 14]

/** Returns the features of a time that another time zone may move to another month. */
function listMonthEdges(at: number): string[] {
  const date = new Date(at * 1000)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const distances = {
    first: at - Date.UTC(year, month) / 1000,
    last: Date.UTC(year, month + 1) / 1000 - 1 - at,
  }
  return EDGE_HOURS.flatMap((hours) =>
    Object.entries(distances)
      .filter(([, distance]) => distance < hours * HOUR)
      .map(([edge]) => `a payment or refund in the ${edge} ${hours} hours of a month in UTC`),
  )
}

/** Returns the value of a column of a customer in a month (`YYYY-MM`). */
export function getLedgerValue({ entries }: CustomerLedger, column: LedgerColumn, month: string): number {
  const own = entries.filter((entry) => entry.column === column)
  if (MONTH_END_STATE_COLUMNS.has(column))
    return own.findLast(({ at }) => getMonthName(at) <= month)?.amount ?? 0
  return own.reduce((sum, { at, amount }) => (getMonthName(at) === month ? sum + amount : sum), 0)
}

/** Returns the names of the first months of a simulation. */
export function listMonthNames(months: number): readonly string[] {
  return Array.from({ length: months }, (_, index) => getMonthName(getMonthStart(index)))
}

/**
 * Returns the entry that explains a difference: the first entry of its month, or otherwise the first later or the last
 * earlier entry.
 */
export function findExplainingEntry(
  { entries }: CustomerLedger,
  column: LedgerColumn,
  month: string,
): LedgerEntry | undefined {
  const own = entries.filter((entry) => entry.column === column && entry.at >= SIMULATION_START)
  return own.find(({ at }) => getMonthName(at) >= month) ?? own.at(-1)
}
