import type { Mover } from '../domain/clock-customers.ts'
import { type Customer, isDeleted, requireCustomer } from '../domain/customers.ts'
import type { TestClock } from '../domain/test-clocks.ts'
import type { Reader } from '../store/port/store.ts'

/** Loads a customer who is to move to a test clock, with what may keep them in real time. */
export async function loadMover(reader: Reader, id: string): Promise<Mover> {
  const customer = requireCustomer(await reader.get('customers', id), id)
  const newest = { where: { customer: id }, limit: 1 }
  const checkout = (await reader.list('checkout_sessions', newest)).data[0]
  return { customer, session: checkout ?? (await reader.list('payment_sessions', newest)).data[0] ?? null }
}

/** Loads any one customer of a clock; null when nobody is on it any more. */
export async function loadAnyCustomer(reader: Reader, { id }: TestClock): Promise<Customer | null> {
  // A deleted one is on no clock any more.
  const { data } = await reader.list('customers', { where: { test_clock: id }, limit: 1 })
  const [customer] = data
  return customer === undefined || isDeleted(customer) ? null : customer
}
