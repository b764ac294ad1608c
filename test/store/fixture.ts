import type { Invoice } from '../../src/domain/billing/invoices.ts'
import type { Subscription } from '../../src/domain/billing/subscriptions.ts'
import type { StoredObject } from '../../src/domain/core/changes.ts'
import type { UnsequencedEvent } from '../../src/domain/events/events.ts'
import type { WebhookDelivery } from '../../src/domain/events/webhook-deliveries.ts'
import type { Customer } from '../../src/domain/payments/customers.ts'
import type { CheckoutSession } from '../../src/domain/sessions/checkout-sessions.ts'
import type { PaymentSession } from '../../src/domain/sessions/payment-sessions.ts'
import type { CollectionName } from '../../src/store/port/collections.ts'
import type { Database, SandboxLocation } from '../../src/store/port/database.ts'
import type { Commit, ListQuery, Store, Write } from '../../src/store/port/store.ts'
import { propertySettings } from '../support/property.ts'
import { SAMPLES } from './samples.ts'

const PROPERTY_MS = 15_000

/** A new, empty store of the backend under test. */
export interface OpenedStore {
  readonly store: Store
  /** Closes the store and opens it again; the memory store returns itself. */
  readonly reopen: () => Promise<Store>
  readonly dispose: () => Promise<void>
}

/** The context of a contract test; `runs` is the number of runs of a property. */
export interface ContractContext extends Omit<OpenedStore, 'dispose'> {
  readonly open: () => Promise<Omit<OpenedStore, 'dispose'>>
  readonly runs: number
}

/** Contract tests by title. */
export type ContractTests = Readonly<Record<string, (bench: ContractContext) => Promise<void>>>

/** A new, empty database of the backend under test. */
export interface OpenedDatabase {
  readonly database: Database
  /** Closes the database and opens it again. */
  readonly reopen: () => Promise<Database>
  /** Closes the stores and the database that are still open, and deletes the data. */
  readonly dispose: () => Promise<void>
}

/** The context of a contract test of databases, with the locations of two sandboxes. */
export interface DatabaseContext extends Omit<OpenedDatabase, 'dispose'> {
  readonly a: SandboxLocation
  readonly b: SandboxLocation
}

/** Contract tests of databases by title. */
export type DatabaseTests = Readonly<Record<string, (context: DatabaseContext) => Promise<void>>>

/** Options for a fast-check property; the time limit leaves the test enough time to report a shrunk failure. */
export function runOptions(
  numRuns: number,
): typeof propertySettings & { numRuns: number; interruptAfterTimeLimit: number } {
  return { ...propertySettings, numRuns, interruptAfterTimeLimit: PROPERTY_MS }
}

/** Stores records in one transaction, in the given order. */
export async function put(store: Store, ...records: StoredObject[]): Promise<void> {
  await write(store, ...records.map((record) => ({ put: record })))
}

/** Removes records in one transaction. */
export async function remove(store: Store, ...records: StoredObject[]): Promise<void> {
  await write(store, ...records.map((record) => ({ remove: record })))
}

/** Applies writes in one transaction. */
export async function write(store: Store, ...writes: Write[]): Promise<void> {
  await store.transact(async () => commit(null, { writes }))
}

/** Creates the return value of a transaction; changes default to none. */
export function commit<R>(result: R, changes: Partial<Omit<Commit<R>, 'result'>> = {}): Commit<R> {
  return { writes: [], events: [], ...changes, result }
}

/** Returns the ids of a page (default limit: 100). */
export async function idsOf(
  store: Store,
  collection: CollectionName,
  query: Partial<ListQuery> = {},
): Promise<string[]> {
  const { data } = await store.list(collection, { limit: 100, ...query })
  return data.map(({ id }) => id)
}

/** Returns the ids of the due records of a queue (default limit: 100). */
export async function dueIds(
  store: Store,
  queue: string,
  { until, limit = 100 }: { until: number; limit?: number },
): Promise<string[]> {
  return (await store.listDue(queue, until, limit)).map(({ id }) => id)
}

/** Waits until pending callbacks of the event loop have run. */
export function waitForNextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Waits for a number of turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await waitForNextTurn()
}

/** Returns the numbers from 1 to `count`. */
export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Yields the store, and then the reopened store. */
export async function* alsoReopened({
  store,
  reopen,
}: Pick<ContractContext, 'store' | 'reopen'>): AsyncGenerator<Store> {
  yield store
  yield await reopen()
}

/** Returns the error that a promise rejects with; throws when it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    (value) => new TypeError(`resolved with ${JSON.stringify(value)} instead of rejecting`),
    (reason: unknown) => ({ reason }),
  )
  if (outcome instanceof TypeError) throw outcome
  return outcome.reason instanceof Error ? outcome.reason : new Error(`not an Error: ${outcome.reason}`)
}

/** Returns the code of the error that a promise rejects with, or the message of an error without a code. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await rejection(promise)
  return 'code' in error ? String(error.code) : error.message
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

export const event = (id: string, fields: Partial<UnsequencedEvent> = {}): UnsequencedEvent => ({
  ...SAMPLES.events,
  sequence: 0,
  id,
  ...fields,
})
