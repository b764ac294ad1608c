import { type Creation, isDeleted, type RuleContext, toCreation } from '../core/changes.ts'
import { DomainError } from '../core/domain-error.ts'
import { createMetadata } from '../core/metadata.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'

/** The schema of a customer. */
export const customerSchema = s.resourceObject(
  'customer',
  'A customer of your business. Sessions, subscriptions and cards belong to a customer.',
  {
    email: s.text('The email address. Several customers may have the same address.'),
    name: s.nullable(s.text('The full name; null if not given.')),
    phone: s.nullable(s.text('The telephone number; null if not given.')),
    description: s.nullable(s.text('Your own note; null if not given.')),
    default_payment_method: s.nullable(
      s.id(
        'The card that renewals charge unless the subscription has its own card. The first saved card becomes the default; null without a default card.',
      ),
    ),
    balances: s.creditsByCurrency(
      'The balance by currency, in minor units: {"eur":-500} is a credit of 5.00 EUR. Finalized invoices use the credit. A currency without a credit is absent.',
    ),
    ...s.metadataAndClockProperties,
  },
)

export type Customer = s.ValueOf<typeof customerSchema>

/** The schema of a deleted customer, who can be retrieved by id but is not listed. */
export const deletedCustomerSchema = s.deletedObject(
  'customer',
  'A deleted customer, which can be retrieved but is not listed.',
)

export type DeletedCustomer = s.ValueOf<typeof deletedCustomerSchema>

/** The shared balances of customers without a balance. */
const NO_BALANCES: Customer['balances'] = Object.freeze({})

const EMAIL = 'Email address, which need not be unique.'

/** The parameters of a new customer. */
export const customerParams = p.shape(
  { email: p.email(EMAIL) },
  {
    name: p.text(256, 'Full name.'),
    phone: p.text(20, 'Telephone number.'),
    description: p.text(5000, 'Your own note about the customer.'),
    metadata: p.metadata(),
    test_clock: p.id('Test clock of the customer (default: real time).'),
  },
)

export type CustomerParams = s.ValueOf<typeof customerParams>

/** The parameters of an update of a customer. */
export const customerUpdateParams = p.shape(
  { id: p.id('The id of the customer.') },
  {
    email: p.email(EMAIL),
    name: s.nullable(p.text(256, 'Full name.')),
    phone: s.nullable(p.text(20, 'Telephone number.')),
    description: s.nullable(p.text(5000, 'Your own note about the customer.')),
    default_payment_method: s.nullable(p.id('Default card for renewals.')),
    metadata: p.metadataUpdate(),
  },
)

/** Creates a customer. Email addresses need not be unique. */
export function createCustomer(fields: CustomerParams, context: RuleContext): Creation<Customer> {
  const customer: Customer = {
    id: context.newId('cus_'),
    object: 'customer',
    created: context.now,
    livemode: false,
    email: fields.email,
    name: fields.name ?? null,
    phone: fields.phone ?? null,
    description: fields.description ?? null,
    default_payment_method: null,
    balances: NO_BALANCES,
    metadata: createMetadata(fields.metadata),
    test_clock: fields.test_clock ?? null,
  }
  return toCreation('customer.created', customer)
}

/** Returns an existing customer; throws `resource_missing` when the customer is missing or deleted. */
export function requireCustomer(customer: Customer | DeletedCustomer | null, id: string): Customer {
  if (customer === null) {
    throw new DomainError(
      'resource_missing',
      `No such customer: '${id}'. Create one first with POST /v1/customers, or list them with GET /v1/customers.`,
      { param: 'customer' },
    )
  }
  if (isDeleted(customer)) {
    throw new DomainError(
      'resource_missing',
      `Customer '${id}' was deleted. Create a new customer and use its id.`,
      { param: 'customer' },
    )
  }
  return customer
}
