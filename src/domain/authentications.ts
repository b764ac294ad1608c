import { type Change, creation, removal } from './changes.ts'
import type { CardDetails } from './payment-methods.ts'

/**
 * A buyer who was sent to 3-D Secure and has not answered; private, at most one per session. It keeps what saving the
 * card will need, so the number need not be asked for twice. `payment` is null for a set-up that charges nothing yet.
 */
export interface Authentication {
  readonly id: string
  readonly object: 'authentication'
  readonly payment: string | null
  readonly card: CardDetails
  readonly name: string | null
}

/** Waits for the buyer's answer for the session of that id. */
export function awaitBuyer(waiting: Omit<Authentication, 'object'>): Change<Authentication> {
  return creation<Authentication>(null, { ...waiting, object: 'authentication' })
}

/** Forgets a wait that was answered or overtaken; nothing when there is none. */
export function endWait(waiting: Authentication | null): Change[] {
  return waiting === null ? [] : [removal(waiting)]
}
