import { DomainError } from '../../domain/domain-error.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'
import type { Reader } from '../../store/port/store.ts'
import { requireReferenced } from '../core/retrieving.ts'

/** The card a parameter names, null when it names none; refuses a missing one and one of somebody else. */
export async function cardOfCustomer(
  reader: Reader,
  customer: string,
  given: { readonly param: string; readonly id: string | null | undefined },
): Promise<PaymentMethod | null> {
  const { param, id } = given
  if (id === null || id === undefined) return null
  const method = await requireReferenced(reader, 'payment_methods', { param, id })
  if (method.customer === customer) return method
  throw new DomainError(
    'payment_method_unexpected_customer',
    `Payment method '${id}' does not belong to customer '${customer}'. A card belongs to the customer who saved it in a checkout session.`,
    { param },
  )
}
