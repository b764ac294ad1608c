import { type Customer, isDeletedCustomer, requireCustomer } from '../domain/customers.ts'
import type { CustomerToMove } from '../domain/test-clock-creation.ts'
import type { TestClock } from '../domain/test-clocks.ts'
import type { StoreReader } from '../store/port/store.ts'

/** Loads a customer with their newest session, which may prevent the move to a test clock. */
export async function loadCustomerToMove(reader: StoreReader, id: string): Promise<CustomerToMove> {
  const customer = requireCustomer(await reader.get('customers', id), id)
  const newest = { where: { customer: id }, limit: 1 }
  const checkout = (await reader.list('checkout_sessions', newest)).data[0]
  return { customer, session: checkout ?? (await reader.list('payment_sessions', newest)).data[0] ?? null }
}

/** Loads any customer of a clock, or null when it has none. */
export async function loadAnyClockCustomer(reader: StoreReader, { id }: TestClock): Promise<Customer | null> {
  // Deleted customers have no clock, so this filter only narrows the type.
  const { data } = await reader.list('customers', { where: { test_clock: id }, limit: 1 })
  const [customer] = data
  return customer === undefined || isDeletedCustomer(customer) ? null : customer
}
