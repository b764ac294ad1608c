import type { AnySession } from '../domain/any-session.ts'
import type { StoredObject } from '../domain/changes.ts'
import { alternatingCounterId, INVOICE_COUNTER_ID } from '../domain/counters.ts'
import { authenticationIdOf, type Payment } from '../domain/payments.ts'
import type { Subscription } from '../domain/subscriptions.ts'
import type { Timer } from '../domain/timers.ts'
import { type Collection, type Collections, collectionOf } from '../store/port/collections.ts'
import type { StoreReader } from '../store/port/store.ts'
import { loadAll } from './load-related.ts'

/** Records by collection, in the order in which they were inserted. */
export type ProjectedRecords = { readonly [C in Collection]?: readonly Collections[C][] }

/**
 * Loads the records that the future jobs of a subscription read and change: those of all live subscriptions of its customer,
 * because they share cards and credit.
 */
export async function loadSubscriptionRecords(
  reader: StoreReader,
  { id }: Subscription,
): Promise<ProjectedRecords> {
  const billing = await loadBillingRecords(reader, [id])
  const owners = [...billing.subscriptions, ...billing.invoices]
  return { ...billing, timers: await getMany(reader, 'timers', owners.map(idOf)) }
}

/** Loads the records that the jobs of due records of a test clock read and change. Give the due records in their order. */
export async function loadClockRecords(
  reader: StoreReader,
  due: readonly StoredObject[],
): Promise<ProjectedRecords> {
  const timers = due.filter((record): record is Timer => record.object === 'timer')
  const ownersOf = (...what: Timer['what'][]) => timers.filter((timer) => what.includes(timer.what)).map(idOf)
  const refunds = await getMany(reader, 'refunds', ownersOf('refund_succeeds', 'refund_fails'))
  const invoices = [
    ...recordsOf(due, 'invoices'),
    ...(await getMany(reader, 'invoices', ownersOf('invoice_overdue'))),
  ]
  const subscriptions = [
    ...recordsOf(due, 'subscriptions').map(idOf),
    ...ownersOf('trial_will_end'),
    ...invoices.flatMap(({ subscription }) => subscription ?? []),
  ]
  const billing = await loadBillingRecords(reader, subscriptions)
  const open = await loadOpenRecords(reader, due)
  const refunded = await getMany(
    reader,
    'payments',
    refunds.map(({ payment }) => payment),
  )
  return {
    ...billing,
    ...open,
    timers,
    refunds,
    // A settled invoice has no deadline, so its place in the order does not count.
    invoices: distinct(billing.invoices, invoices),
    payments: distinct(billing.payments, open.payments, refunded),
    authentications: distinct(billing.authentications, open.authentications),
  }
}

// The jobs of sessions and API payments end them, with their open 3-D Secure authentication.
async function loadOpenRecords(reader: StoreReader, due: readonly StoredObject[]) {
  const payments = recordsOf(due, 'payments')
  const sessions = {
    checkout_sessions: recordsOf(due, 'checkout_sessions'),
    payment_sessions: recordsOf(due, 'payment_sessions'),
    card_sessions: recordsOf(due, 'card_sessions'),
  }
  const all: readonly AnySession[] = Object.values(sessions).flat()
  const pending = await loadAuthentications(reader, [...all.map(idOf), ...payments.map(authenticationIdOf)])
  return { ...sessions, ...pending, payments: distinct(payments, pending.payments) }
}

// Lists are sorted by `created` and then by insertion. On one clock, and for one customer, this is the order of insertion,
// which decides between jobs that are due at the same time.
async function loadBillingRecords(reader: StoreReader, named: readonly string[]) {
  const wanted = await getMany(reader, 'subscriptions', named)
  const customer = wanted.map((subscription) => subscription.customer)
  const live = await listOf(reader, 'subscriptions', 'live_customer', customer)
  const subscriptions = distinct(live, wanted)
  const ids = subscriptions.map(idOf)
  const invoices = await listOf(reader, 'invoices', 'unsettled_subscription', ids)
  const attempted = invoices.filter((invoice) => invoice.attempted)
  const pending = await loadAuthentications(reader, invoices.map(idOf))
  const payments = await listOf(reader, 'payments', 'invoice', attempted.map(idOf))
  const counters = [INVOICE_COUNTER_ID, ...customer.map(alternatingCounterId)]
  return {
    subscriptions,
    invoices,
    payments: distinct(payments, pending.payments),
    authentications: pending.authentications,
    customers: await getMany(reader, 'customers', customer),
    payment_methods: await listOf(reader, 'payment_methods', 'customer', customer),
    invoice_items: await listOf(reader, 'invoice_items', 'pending_subscription', ids),
    traceless_declines: await getMany(reader, 'traceless_declines', invoices.map(idOf)),
    counters: await getMany(reader, 'counters', counters),
  }
}

async function loadAuthentications(reader: StoreReader, owners: readonly string[]) {
  const authentications = await getMany(reader, 'authentications', owners)
  const payments: Payment[] = await getMany(
    reader,
    'payments',
    authentications.flatMap(({ payment }) => payment ?? []),
  )
  return { authentications, payments }
}

async function listOf<C extends Collection>(
  reader: StoreReader,
  collection: C,
  filter: string,
  values: readonly string[],
): Promise<Collections[C][]> {
  if (values.length === 0) return []
  return loadAll(reader, collection, { where: { [filter]: [...new Set(values)] } })
}

async function getMany<C extends Collection>(
  reader: StoreReader,
  collection: C,
  ids: readonly string[],
): Promise<Collections[C][]> {
  const found = await Promise.all([...new Set(ids)].map((id) => reader.get(collection, id)))
  return found.filter((record) => record !== null) as Collections[C][]
}

function recordsOf<C extends Collection>(due: readonly StoredObject[], collection: C): Collections[C][] {
  return due.filter((record): record is Collections[C] => collectionOf(record) === collection)
}

function distinct<T extends StoredObject>(...lists: readonly (readonly T[])[]): T[] {
  return [...new Map(lists.flat().map((record) => [record.id, record])).values()]
}

function idOf({ id }: { readonly id: string }): string {
  return id
}
