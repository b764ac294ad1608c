import { type Change, type Creation, creation, mutation, type RuleContext } from './changes.ts'
import { DomainError } from './domain-error.ts'
import { type Metadata, type MetadataFields, mergeMetadata } from './metadata.ts'

export interface Customer {
  readonly id: string
  readonly object: 'customer'
  readonly created: number
  readonly livemode: false
  readonly email: string
  readonly name: string | null
  readonly phone: string | null
  readonly description: string | null
  readonly default_payment_method: string | null
  readonly metadata: Metadata
  readonly test_clock: string | null
}

/** What is left of a customer: retrievable by id, in no list. */
export interface DeletedCustomer {
  readonly id: string
  readonly object: 'customer'
  readonly deleted: true
}

export interface CustomerFields {
  readonly email: string
  readonly name?: string
  readonly phone?: string
  readonly description?: string
  readonly metadata?: Metadata
  readonly test_clock?: string
}

export interface CustomerUpdateFields {
  readonly email?: string
  readonly name?: string | null
  readonly phone?: string | null
  readonly description?: string | null
  readonly default_payment_method?: string | null
  readonly metadata?: MetadataFields
}

/** A new customer. E-mail addresses need not be unique: the id identifies. */
export function createCustomer(fields: CustomerFields, context: RuleContext): Creation<Customer> {
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
    metadata: fields.metadata ?? {},
    test_clock: fields.test_clock ?? null,
  }
  return creation('customer.created', customer)
}

/** The customer with the given fields changed; absent fields stay, null unsets. */
export function updateCustomer(customer: Customer, fields: CustomerUpdateFields): Customer {
  return {
    ...customer,
    email: fields.email ?? customer.email,
    name: fields.name === undefined ? customer.name : fields.name,
    phone: fields.phone === undefined ? customer.phone : fields.phone,
    description: fields.description === undefined ? customer.description : fields.description,
    default_payment_method:
      fields.default_payment_method === undefined
        ? customer.default_payment_method
        : fields.default_payment_method,
    metadata: mergeMetadata(customer.metadata, fields.metadata),
  }
}

/** `customer.updated`, or nothing when no public field changed: an event without a change would break the chain. */
export function customerUpdated(before: Customer, after: Customer): Change[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  return [mutation('customer.updated', before, after)]
}

/** The last event of a customer; only the stub stays. */
export function customerDeleted(
  customer: Customer,
): Change<Customer | DeletedCustomer> & { readonly after: DeletedCustomer } {
  const stub: DeletedCustomer = { id: customer.id, object: 'customer', deleted: true }
  return { event: 'customer.deleted', before: customer, after: stub }
}

/** Whether this is the stub of a deleted customer. */
export function isDeleted(customer: Customer | DeletedCustomer): customer is DeletedCustomer {
  return 'deleted' in customer
}

/** Whether a customer is gone: nothing can be charged for them any more. */
export function isGone(customer: Customer | DeletedCustomer | null): boolean {
  return customer === null || isDeleted(customer)
}

/** The live customer a new object is for; 400 `resource_missing` names a missing or deleted one. */
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
      {
        param: 'customer',
      },
    )
  }
  return customer
}
