import type { ExpirationReason, SessionStatus } from '../../domain/sessions.ts'
import { arrayOf, type Exactly, id, nullable, oneOf, text, timestamp } from './fields.ts'

/** The schema of the status of a session. */
export const sessionStatus: Exactly<SessionStatus> = oneOf(
  ['open', 'complete', 'expired'],
  'Whether the URL can still be used, the session is complete, or it expired before that.',
)

/** The schema of `payment_method_types`. */
export const paymentMethodTypes: Exactly<readonly string[]> = arrayOf(
  oneOf(['card'], 'A payment method type.') as Exactly<string>,
  'The payment method types that the page offers.',
)

const expirationReason: Exactly<ExpirationReason> = oneOf(
  ['time', 'api', 'customer_deleted'],
  'Why the session expired: its time ran out, the API expired it, or its customer was deleted. Null if it has not expired.',
)

/** Fields about the end of a session, which both kinds of session have. */
export const sessionEnd = {
  client_reference_id: nullable(text('Your own id of the session; null if none was given.')),
  expires_at: timestamp('When the session expires.'),
  completed_at: nullable(timestamp('When the customer completed the session; null before.')),
  expired_at: nullable(timestamp('When the session expired; null if it has not.')),
  expiration_reason: nullable(expirationReason),
  payment: nullable(id('The successful payment; null before it succeeds.')),
}
