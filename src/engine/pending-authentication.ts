import type { Authentication } from '../domain/authentications.ts'
import type { Payment } from '../domain/payments.ts'
import type { StoreReader } from '../store/port/store.ts'

/** The open 3-D Secure authentication of a session or invoice, with its payment. Each may be null. */
export interface PendingAuthentication {
  readonly authentication: Authentication | null
  readonly payment: Payment | null
}

/** Loads the open 3-D Secure authentication of a session or invoice, and its payment. */
export async function loadPendingAuthentication(
  reader: StoreReader,
  ownerId: string,
): Promise<PendingAuthentication> {
  const authentication = await reader.get('authentications', ownerId)
  const paymentId = authentication?.payment ?? null
  return { authentication, payment: paymentId === null ? null : await reader.get('payments', paymentId) }
}
