import type { PendingPaymentRecords } from '../domain/completion/hosted-session.ts'
import type { PaymentWithAuthentication } from '../domain/payments/api-payments.ts'
import { getAuthenticationId } from '../domain/payments/authentications.ts'
import type { Payment } from '../domain/payments/payments.ts'
import type { StoreReader } from '../store/port/store.ts'

/** Loads the pending 3-D Secure authentication of a session, invoice or API payment, and its payment. Each may be null. */
export async function loadPendingAuthentication(
  reader: StoreReader,
  ownerId: string,
): Promise<PendingPaymentRecords> {
  const authentication = await reader.get('authentications', ownerId)
  const paymentId = authentication?.payment ?? null
  return { authentication, payment: paymentId === null ? null : await reader.get('payments', paymentId) }
}

/** Returns a payment with its pending authentication, which is null unless the payment waits for authentication. */
export async function loadPaymentWithAuthentication(
  reader: StoreReader,
  payment: Payment,
): Promise<PaymentWithAuthentication> {
  const authentication = await reader.get('authentications', getAuthenticationId(payment))
  return { payment, authentication: authentication?.payment === payment.id ? authentication : null }
}
