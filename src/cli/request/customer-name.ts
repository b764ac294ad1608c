import { customers } from '../../api/operations/customers.ts'
import { ApiError } from '../../client/api-error.ts'
import type { Client } from '../../client/client.ts'
import { findFieldValue } from '../../presentation/field-values.ts'

/**
 * Returns the name or email of an object's customer, as a map by customer id. The map is empty if the object has no
 * customer or the API key cannot read customers.
 */
export async function readCustomerNames(
  client: Client,
  object: object,
): Promise<ReadonlyMap<string, string>> {
  const id = findFieldValue({ ...object }, 'customer')
  if (typeof id !== 'string') return new Map()
  const customer: object | null = await client.call(customers.retrieve, { id }).catch(ignoreApiError)
  const { name, email } = { name: null, email: null, ...customer }
  const known: unknown = name ?? email
  return typeof known === 'string' ? new Map([[id, known]]) : new Map()
}

/** Returns null for an API error: a restricted key may read the object of a command, but not the related objects. */
export function ignoreApiError(error: unknown): null {
  if (error instanceof ApiError) return null
  throw error
}
