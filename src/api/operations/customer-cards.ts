import { DomainError } from '../../domain/core/domain-error.ts'
import type { PaymentMethod } from '../../domain/payments/payment-methods.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { requireById } from '../core/retrieve.ts'

/**
 * Returns the card whose id is in the given parameter, or null without an id. Throws unless the card belongs to the
 * customer.
 */
export async function loadCustomerCard(
  reader: StoreReader,
  customer: string,
  { param, id }: { readonly param: string; readonly id: string | null | undefined },
): Promise<PaymentMethod | null> {
  if (id === null || id === undefined) return null
  const method = await requireById(reader, 'payment_methods', id, param)
  if (method.customer === customer) return method
  throw new DomainError(
    'payment_method_unexpected_customer',
    `Payment method '${id}' does not belong to customer '${customer}'. Use a card that this customer saved: GET /v1/customers/${customer}/payment_methods.`,
    { param },
  )
}
