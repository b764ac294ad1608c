import { id, metadataAndClock, nullable, text } from './fields.ts'
import { defineResource, deletedObject } from './resource.ts'

/** The customer resource. */
export const customer = defineResource('customers', {
  email: text('The e-mail address. Several customers may have the same.'),
  name: nullable(text('The full name; null if none was given.')),
  phone: nullable(text('The telephone number; null if none was given.')),
  description: nullable(text('Your own note; null if none was given.')),
  default_payment_method: nullable(
    id(
      'The card that renewals charge unless the subscription has its own: the first saved card. Null if no card is saved.',
    ),
  ),
  ...metadataAndClock,
})

/** The schema of a deleted customer. */
export const deletedCustomer = deletedObject(
  'customer',
  'A deleted customer: it can be retrieved, and no list contains it.',
)
