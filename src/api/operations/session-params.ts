import { isDeletedCustomer } from '../../domain/customers.ts'
import { type EffectiveTime, effectiveTimeOf } from '../../engine/effective-time.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { id, integer, metadata } from '../schema/schema.ts'

/** Parameters of both checkout sessions and payment sessions. */
export const sessionParams = {
  client_reference_id: { ...id('Your own id for the session, up to 200 characters.'), maxLength: 200 },
  expires_at: integer(
    { min: 0, errorCodes: { minimum: 'expires_at_out_of_range' } },
    'Expiry in Unix seconds, 30 minutes to 70 days in the future (default: 24 hours from now).',
  ),
  metadata: metadata(),
}

/** Returns the clock time of the customer of a session, or null without a live customer. */
export async function loadCustomerTime(
  reader: StoreReader,
  { customer }: { readonly customer?: string | null },
): Promise<EffectiveTime | null> {
  const found = customer ? await reader.get('customers', customer) : null
  return found === null || isDeletedCustomer(found) ? null : effectiveTimeOf(found)
}
