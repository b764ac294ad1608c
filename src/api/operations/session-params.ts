import { isDeletedCustomer } from '../../domain/payments/customers.ts'
import { type EffectiveTime, effectiveTimeOf } from '../../engine/effective-time.ts'
import type { StoreReader } from '../../store/port/store.ts'

/** Resolves with the clock of the customer of a session, or null for an unknown or deleted customer. */
export async function loadCustomerTime(
  reader: StoreReader,
  { customer }: { readonly customer?: string | null },
): Promise<EffectiveTime | null> {
  const found = customer ? await reader.get('customers', customer) : null
  return found === null || isDeletedCustomer(found) ? null : effectiveTimeOf(found)
}
