import { api } from '../../src/api/api.ts'
import type { Subscription } from '../../src/domain/billing/subscriptions.ts'
import { isDeleted } from '../../src/domain/core/changes.ts'
import type { CollectionName, CollectionRecordTypes } from '../../src/store/port/collections.ts'
import type { Sandbox } from './sandbox.ts'

/** Returns the id that a pick selects; `nobody` if there are no ids. */
export function pickId(ids: readonly string[], pick: number): string {
  return ids[pick % Math.max(1, ids.length)] ?? 'nobody'
}

/** Returns a record to act on, preferably in one of the given states; null if there are no records. */
export async function any<C extends CollectionName>(
  { store }: Sandbox,
  collection: C,
  { pick, states }: { readonly pick: number; readonly states?: readonly string[] },
): Promise<CollectionRecordTypes[C] | null> {
  const fitting = states && (await store.list(collection, { where: { status: states }, limit: 100 })).data
  const data = fitting?.length ? fitting : (await store.list(collection, { limit: 100 })).data
  return data[pick % Math.max(1, data.length)] ?? null
}

/** Returns the id of a card, preferably of the given customer. */
export async function cardOf(sandbox: Sandbox, owner: string, pick: number): Promise<string> {
  const { data } = await sandbox.store.list('payment_methods', { where: { customer: owner }, limit: 100 })
  return pickId(
    data.map(({ id }) => id),
    pick,
  )
}

/** Makes a card of a customer its default card; does nothing for a customer without cards. */
export async function chooseCard(sandbox: Sandbox, id: string, pick: number): Promise<void> {
  const { data } = await sandbox.call(api.paymentMethods.listOfCustomer, { id })
  const default_payment_method = data[pick % Math.max(1, data.length)]?.id ?? null
  await sandbox.call(api.customers.update, { id, default_payment_method })
}

/** Returns the time of the test clock of an object, or real time, in Unix seconds. */
export async function timeOf(
  { store, now }: Sandbox,
  { test_clock }: Pick<Subscription, 'test_clock'>,
): Promise<number> {
  const clock = test_clock === null ? null : await store.get('test_clocks', test_clock)
  return clock === null || isDeleted(clock) ? now() : clock.frozen_time
}
