import type { Authentication } from '../domain/authentications.ts'
import type { Payment } from '../domain/payments.ts'
import type { Reader } from '../store/port/store.ts'

/** The buyer a session waits for in 3-D Secure, with the payment begun for it; both null when it waits for nobody. */
export interface Waiting {
  readonly authentication: Authentication | null
  readonly payment: Payment | null
}

/** Loads whom a session waits for. */
export async function loadWaiting(reader: Reader, sessionId: string): Promise<Waiting> {
  const authentication = await reader.get('authentications', sessionId)
  const paymentId = authentication?.payment ?? null
  return { authentication, payment: paymentId === null ? null : await reader.get('payments', paymentId) }
}
