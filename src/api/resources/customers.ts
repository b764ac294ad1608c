import type { Customer, DeletedCustomer } from '../../domain/customers.ts'
import { head, only, orNull, reference, resource, tail, words } from './fields.ts'

/** A customer as answers show it. */
export const customer = resource<Customer>('customer', 'Who buys: everything else belongs to a customer.', {
  ...head('customer', 'customer'),
  email: words('E-mail address; other customers may have the same.'),
  name: orNull(words('Full name.')),
  phone: orNull(words('Telephone number.')),
  description: orNull(words('Your own note on the customer.')),
  default_payment_method: orNull(
    reference('The card that renewals charge unless the subscription names one; the first card saved.'),
  ),
  ...tail,
})

/** What is left of a customer that was deleted. */
export const deletedCustomer = resource<DeletedCustomer>(
  'deleted_customer',
  'What is left of a deleted customer: it can be retrieved, and is in no list.',
  {
    id: reference('The id the customer had.'),
    object: only('customer', 'The kind of object.'),
    deleted: only(true, 'Always true.'),
  },
)
