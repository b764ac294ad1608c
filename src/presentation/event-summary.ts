import type { JsonObject } from '../domain/core/json-object.ts'
import type { Event } from '../domain/events/events.ts'
import { findFieldValue, formatAmountAtPath } from './field-values.ts'
import { listIdentityPaths } from './identity-fields.ts'

/** A short summary of the object of an event. */
export type EventSummary = ReturnType<typeof getEventObjectSummary>

const NO_NAMES: ReadonlyMap<string, string> = new Map()

/** Returns the summary of the object of an event; `names` has the names of customers by id. */
export function getEventObjectSummary(
  { data }: { readonly data: { readonly object: object } },
  names = NO_NAMES,
) {
  const object: JsonObject = { ...data.object }
  return {
    id: String(object['id'] ?? ''),
    /** The amount, such as `46.75 EUR`; null for objects without an amount. */
    amount: firstOf(listIdentityPaths(object), (path) => formatAmountAtPath(object, path)),
    /** The name of the object, or of its customer; null for an unknown name. */
    name: textAt(object, ['name', 'billing_details.name']) ?? names.get(customerIdOf(object)) ?? null,
    email: textAt(object, ['email', 'customer_email', 'billing_details.email']),
  }
}

/**
 * Returns the id and the name (else the email) of the customer in a customer event; null for other events and for
 * unnamed customers.
 */
export function findEventCustomer({ data }: Event): { readonly id: string; readonly name: string } | null {
  const object: JsonObject = { ...data.object }
  const name = textAt(object, ['name', 'email'])
  return object['object'] !== 'customer' || name === null ? null : { id: String(object['id']), name }
}

/** Returns the id of the customer of an event's object, or the id of the object for an object without a customer. */
export function getEventCustomerOrObjectId({ data }: Event): string {
  return customerIdOf({ ...data.object })
}

function customerIdOf(object: JsonObject): string {
  return String(findFieldValue(object, 'customer|id') ?? '')
}

function textAt(object: JsonObject, paths: readonly string[]): string | null {
  return firstOf(paths, (path) => {
    const value = findFieldValue(object, path)
    return typeof value === 'string' ? value : null
  })
}

function firstOf(paths: readonly string[], read: (path: string) => string | null): string | null {
  return paths.map(read).find((text) => text !== null) ?? null
}
