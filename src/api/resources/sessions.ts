import type { ExpirationReason, SessionStatus } from '../../domain/sessions.ts'
import { type Exactly, many, moment, oneOf, orNull, reference, words } from './fields.ts'

/** The state of a session. */
export const sessionStatus: Exactly<SessionStatus> = oneOf(
  ['open', 'complete', 'expired'],
  'Whether the url still works, was used to the end, or stopped working.',
)

/** What both kinds of session tell of how the buyer may pay. */
export const paymentMethodTypes: Exactly<readonly string[]> = many(
  oneOf(['card'], 'A way to pay.') as Exactly<string>,
  'How the buyer may pay.',
)

const expirationReason: Exactly<ExpirationReason> = oneOf(
  ['time', 'api', 'customer_deleted'],
  'Why it expired: its time came, it was asked to, or its customer was deleted.',
)

/** What both kinds of session tell of their end. */
export const sessionEnd = {
  client_reference_id: orNull(words('Your own id for the session.')),
  expires_at: moment('When the url stops working.'),
  completed_at: orNull(moment('When the buyer completed it.')),
  expired_at: orNull(moment('When it expired.')),
  expiration_reason: orNull(expirationReason),
  payment: orNull(reference('The payment that succeeded.')),
}
