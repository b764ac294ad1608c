import { isDeleted } from '../../domain/customers.ts'
import { type Moment, onClockOf } from '../../engine/time-source.ts'
import type { Reader } from '../../store/port/store.ts'
import { id, integer, metadata } from '../schema/schema.ts'

/** What both kinds of session take beside their own parameters. */
export const sessionFields = {
  client_reference_id: { ...id('Your own id for the session, up to 200 characters.'), maxLength: 200 },
  expires_at: integer(
    { min: 0, errorCodes: { minimum: 'expires_at_out_of_range' } },
    'When the url stops working, in Unix seconds: 30 minutes to 70 days ahead, 24 hours unless given.',
  ),
  metadata: metadata(),
}

/** The clock of the customer that a session is for; null when there is no such customer. */
export async function clockOfCustomer(
  reader: Reader,
  { customer }: { readonly customer?: string | null },
): Promise<Moment | null> {
  const found = customer ? await reader.get('customers', customer) : null
  return found === null || isDeleted(found) ? null : onClockOf(found)
}
