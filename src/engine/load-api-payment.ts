import { alternatingCounterId, attemptCounterId } from '../domain/core/counters.ts'
import type { ApiPaymentRecords } from '../domain/payments/api-payments.ts'
import type { Customer } from '../domain/payments/customers.ts'
import type { PaymentMethod } from '../domain/payments/payment-methods.ts'
import type { StoreReader } from '../store/port/store.ts'
import { loadUsableCard } from './load-billing.ts'

/** Loads the records that the domain rules need to charge a saved card (default: the default card of the customer). */
export async function loadApiPaymentRecords(
  reader: StoreReader,
  customer: Customer,
  given: PaymentMethod | null,
): Promise<ApiPaymentRecords> {
  const card = given ?? (await loadUsableCard(reader, customer, null))
  return {
    customer,
    card,
    alternatingCharges: await reader.get('counters', alternatingCounterId(customer.id)),
    cardAttempts: card && (await reader.get('counters', attemptCounterId(card.id))),
  }
}
