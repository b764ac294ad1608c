import type { Subscription } from '../domain/billing/subscriptions.ts'
import type { HostedSession } from '../domain/completion/hosted-session.ts'
import type { StoredObject } from '../domain/core/changes.ts'
import { getAlternatingCounterId, INVOICE_COUNTER_ID } from '../domain/core/counters.ts'
import { getAuthenticationId } from '../domain/payments/authentications.ts'
import { isPaymentProcessing } from '../domain/payments/payment-processing.ts'
import type { TimerRecord } from '../domain/time/timers.ts'
import {
  type CollectionName,
  type CollectionRecordTypes,
  getCollectionName,
} from '../store/port/collections.ts'
import type { StoreReader } from '../store/port/store.ts'
import { iterateRecordPages } from './load-related.ts'
import type { CountLoadedRecords } from './projection-limit.ts'

/** Records by collection, in the order in which they were inserted. */
export type ProjectionRecords = { readonly [C in CollectionName]?: readonly CollectionRecordTypes[C][] }

/**
 * Loads the records that the future jobs of a subscription read and change. Includes the records of all live
 * subscriptions of the customer, because they share cards and credit.
 */
export async function loadSubscriptionProjectionRecords(
  reader: StoreReader,
  { id }: Subscription,
  countLoaded: CountLoadedRecords,
): Promise<ProjectionRecords> {
  const source = { reader, countLoaded }
  const billing = await loadBillingRecords(source, [id])
  const owners = [...billing.subscriptions, ...billing.invoices]
  return { ...billing, timers: await getMany(source, 'timers', owners.map(idOf)) }
}

/**
 * Loads the records that the jobs of due records of a test clock read and change. The due records must be in the order
 * of their jobs.
 */
export async function loadClockProjectionRecords(
  reader: StoreReader,
  due: readonly StoredObject[],
  countLoaded: CountLoadedRecords,
): Promise<ProjectionRecords> {
  const source = { reader, countLoaded }
  const timers = due.filter((record): record is TimerRecord => record.object === 'timer')
  const ownersOf = (...what: TimerRecord['what'][]) =>
    timers.filter((timer) => what.includes(timer.what)).map(idOf)
  const refunds = await getMany(source, 'refunds', ownersOf('refund_succeeds', 'refund_fails'))
  const debits = recordsOf(due, 'payments').filter(isPaymentProcessing)
  const debited = debits.flatMap(({ invoice }) => invoice ?? [])
  const invoices = [
    ...recordsOf(due, 'invoices'),
    ...(await getMany(source, 'invoices', debited)),
    ...(await getMany(source, 'invoices', ownersOf('invoice_overdue'))),
  ]
  const subscriptions = [
    ...recordsOf(due, 'subscriptions').map(idOf),
    ...ownersOf('trial_will_end'),
    ...invoices.flatMap(({ subscription }) => subscription ?? []),
  ]
  const billing = await loadBillingRecords(source, subscriptions)
  const open = await loadOpenRecords(source, due)
  const disputes = recordsOf(due, 'disputes')
  const paymentIds = [...refunds, ...disputes].map(({ payment }) => payment)
  const settled = await getMany(source, 'payments', paymentIds)
  const paid = await getMany(
    source,
    'payment_sessions',
    debits.flatMap(({ payment_session }) => payment_session ?? []),
  )
  return {
    ...billing,
    ...open,
    payment_sessions: distinct(open.payment_sessions, paid),
    timers,
    refunds,
    disputes,
    // A settled invoice has no deadline, so its position does not matter.
    invoices: distinct(billing.invoices, invoices),
    // Due debits come first, because their order decides between debits that end at the same time.
    payments: distinct(open.payments, billing.payments, settled),
    authentications: distinct(billing.authentications, open.authentications),
  }
}

// The jobs of sessions and API payments close these objects and remove their pending 3-D Secure authentications.
async function loadOpenRecords(source: RecordSource, due: readonly StoredObject[]) {
  const payments = recordsOf(due, 'payments')
  const sessions = {
    checkout_sessions: recordsOf(due, 'checkout_sessions'),
    payment_sessions: recordsOf(due, 'payment_sessions'),
    card_sessions: recordsOf(due, 'card_sessions'),
    portal_sessions: recordsOf(due, 'portal_sessions'),
  }
  const all: readonly HostedSession[] = Object.values(sessions).flat()
  const pending = await loadAuthentications(source, [...all.map(idOf), ...payments.map(getAuthenticationId)])
  return { ...sessions, ...pending, payments: distinct(payments, pending.payments) }
}

// Lists are sorted by insertion, which decides between jobs that are due at the same time.
async function loadBillingRecords(source: RecordSource, named: readonly string[]) {
  const wanted = await getMany(source, 'subscriptions', named)
  const customer = wanted.map((subscription) => subscription.customer)
  const live = await listOf(source, 'subscriptions', 'live_customer', customer)
  const subscriptions = distinct(live, wanted)
  const ids = subscriptions.map(idOf)
  const invoices = await listOf(source, 'invoices', 'unsettled_subscription', ids)
  const attempted = invoices.filter((invoice) => invoice.attempted)
  const pending = await loadAuthentications(source, invoices.map(idOf))
  const payments = await listOf(source, 'payments', 'invoice', attempted.map(idOf))
  const counters = [INVOICE_COUNTER_ID, ...customer.map(getAlternatingCounterId)]
  return {
    subscriptions,
    invoices,
    payments: distinct(payments, pending.payments),
    authentications: pending.authentications,
    customers: await getMany(source, 'customers', customer),
    payment_methods: await listOf(source, 'payment_methods', 'customer', customer),
    invoice_items: await listOf(source, 'invoice_items', 'pending_subscription', ids),
    traceless_declines: await getMany(source, 'traceless_declines', invoices.map(idOf)),
    counters: await getMany(source, 'counters', counters),
  }
}

async function loadAuthentications(source: RecordSource, owners: readonly string[]) {
  const authentications = await getMany(source, 'authentications', owners)
  const pending = authentications.flatMap(({ payment }) => payment ?? [])
  return { authentications, payments: await getMany(source, 'payments', pending) }
}

/** The largest number of records of one read. */
const RECORDS_PER_SLICE = 500

/** The source of the records of a projection, with a function that counts the loaded records. */
interface RecordSource {
  readonly reader: StoreReader
  readonly countLoaded: CountLoadedRecords
}

/** Loads the matching records, oldest first. */
async function listOf<C extends CollectionName>(
  { reader, countLoaded }: RecordSource,
  collection: C,
  filter: string,
  values: readonly string[],
): Promise<CollectionRecordTypes[C][]> {
  if (values.length === 0) return []
  const found: CollectionRecordTypes[C][] = []
  for await (const page of iterateRecordPages(reader, collection, {
    where: { [filter]: [...new Set(values)] },
  })) {
    found.push(...page)
    await countLoaded(page.length)
  }
  return found.reverse()
}

async function getMany<C extends CollectionName>(
  { reader, countLoaded }: RecordSource,
  collection: C,
  ids: readonly string[],
): Promise<CollectionRecordTypes[C][]> {
  const distinctIds = [...new Set(ids)]
  const found: CollectionRecordTypes[C][] = []
  for (let at = 0; at < distinctIds.length; at += RECORDS_PER_SLICE) {
    const slice = distinctIds.slice(at, at + RECORDS_PER_SLICE)
    const records = await Promise.all(slice.map((id) => reader.get(collection, id)))
    for (const record of records) if (record !== null) found.push(record)
    await countLoaded(slice.length)
  }
  return found
}

function recordsOf<C extends CollectionName>(
  due: readonly StoredObject[],
  collection: C,
): CollectionRecordTypes[C][] {
  return due.filter((record): record is CollectionRecordTypes[C] => getCollectionName(record) === collection)
}

function distinct<T extends StoredObject>(...lists: readonly (readonly T[])[]): T[] {
  return [...new Map(lists.flat().map((record) => [record.id, record])).values()]
}

function idOf({ id }: { readonly id: string }): string {
  return id
}
