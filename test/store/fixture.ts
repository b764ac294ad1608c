import type { Stored } from '../../src/domain/changes.ts'
import type { CheckoutSession } from '../../src/domain/checkout-sessions.ts'
import type { Customer } from '../../src/domain/customers.ts'
import type { UnsequencedEvent } from '../../src/domain/events.ts'
import type { Invoice } from '../../src/domain/invoices.ts'
import type { PaymentSession } from '../../src/domain/payment-sessions.ts'
import type { Subscription } from '../../src/domain/subscriptions.ts'
import type { WebhookDelivery } from '../../src/domain/webhook-deliveries.ts'
import type { Collection } from '../../src/store/port/collections.ts'
import type { Commit, Query, Store, Write } from '../../src/store/port/store.ts'
import { chance } from '../support/property.ts'
import { SAMPLES } from './samples.ts'

const PROPERTY_MS = 15_000

/** A new, empty store of the backend under test. */
export interface Opened {
  readonly store: Store
  /** Closes the store and opens what it kept; one that keeps nothing beyond the process gives itself. */
  readonly reopen: () => Promise<Store>
  readonly dispose: () => Promise<void>
}

/** What every test of the contract gets: a store, ways to more of them, and how often a property is tried. */
export interface Bench extends Omit<Opened, 'dispose'> {
  readonly open: () => Promise<Omit<Opened, 'dispose'>>
  readonly runs: number
}

/** Tests by the sentence that they prove. */
export type Contract = Readonly<Record<string, (bench: Bench) => Promise<void>>>

/** How a property is tried: a failure is shrunk for so long that the test can still tell it. */
export function tries(numRuns: number): typeof chance & { numRuns: number; interruptAfterTimeLimit: number } {
  return { ...chance, numRuns, interruptAfterTimeLimit: PROPERTY_MS }
}

/** Stores records in one transaction, in the given order. */
export async function put(store: Store, ...records: Stored[]): Promise<void> {
  await write(store, ...records.map((record) => ({ put: record })))
}

/** Removes records in one transaction. */
export async function remove(store: Store, ...records: Stored[]): Promise<void> {
  await write(store, ...records.map((record) => ({ remove: record })))
}

/** Applies writes in one transaction. */
export async function write(store: Store, ...writes: Write[]): Promise<void> {
  await store.transact(async () => commit(null, { writes }))
}

/** What a transaction may return: a result, and no more than the given changes. */
export function commit<R>(result: R, changes: Partial<Omit<Commit<R>, 'result'>> = {}): Commit<R> {
  return { writes: [], events: [], ...changes, result }
}

/** The ids of one page; 100 records unless the query says otherwise. */
export async function idsOf(
  store: Store,
  collection: Collection,
  query: Partial<Query> = {},
): Promise<string[]> {
  const { data } = await store.list(collection, { limit: 100, ...query })
  return data.map(({ id }) => id)
}

/** The ids of what is due on a queue; 100 records unless `limit` says otherwise. */
export async function dueIds(
  store: Store,
  queue: string,
  { until, limit = 100 }: { until: number; limit?: number },
): Promise<string[]> {
  return (await store.due(queue, until, limit)).map(({ id }) => id)
}

/** Lets everything else that is ready have its turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** The store as it is, then as it is when it was opened again. */
export async function* alsoReopened({
  store,
  reopen,
}: Pick<Bench, 'store' | 'reopen'>): AsyncGenerator<Store> {
  yield store
  yield await reopen()
}

/** What a promise rejects with; fails when it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    (value) => new TypeError(`resolved with ${JSON.stringify(value)} instead of rejecting`),
    (reason: unknown) => ({ reason }),
  )
  if (outcome instanceof TypeError) throw outcome
  return outcome.reason instanceof Error ? outcome.reason : new Error(`not an Error: ${outcome.reason}`)
}

export const customer = (id: string, fields: Partial<Customer> = {}): Customer => ({
  ...SAMPLES.customers,
  id,
  ...fields,
})

export const checkoutSession = (id: string, fields: Partial<CheckoutSession> = {}): CheckoutSession => ({
  ...SAMPLES.checkout_sessions,
  id,
  ...fields,
})

export const paymentSession = (id: string, fields: Partial<PaymentSession> = {}): PaymentSession => ({
  ...SAMPLES.payment_sessions,
  id,
  ...fields,
})

export const subscription = (id: string, fields: Partial<Subscription> = {}): Subscription => ({
  ...SAMPLES.subscriptions,
  id,
  ...fields,
})

export const invoice = (id: string, fields: Partial<Invoice> = {}): Invoice => ({
  ...SAMPLES.invoices,
  id,
  ...fields,
})

export const delivery = (id: string, fields: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  ...SAMPLES.webhook_deliveries,
  id,
  ...fields,
})

export const event = (id: string, fields: Partial<UnsequencedEvent> = {}): UnsequencedEvent => {
  const { sequence: _sequence, ...sample } = SAMPLES.events
  return { ...sample, id, ...fields }
}
