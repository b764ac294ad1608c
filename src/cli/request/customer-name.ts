import { customers } from '../../api/operations/customers.ts'
import { ApiError } from '../../client/api-error.ts'
import type { Client } from '../../client/client.ts'
import { fieldAt } from '../output/format-values.ts'

/** Returns the name or email of the customer of an object, by id. Empty when there is no customer, or it is not readable. */
export async function readCustomerName(client: Client, object: object): Promise<ReadonlyMap<string, string>> {
  const id = fieldAt({ ...object }, 'customer')
  if (typeof id !== 'string') return new Map()
  const customer: object | null = await client.call(customers.retrieve, { id }).catch(ignoreApiError)
  const { name, email } = { name: null, email: null, ...customer }
  const known: unknown = name ?? email
  return typeof known === 'string' ? new Map([[id, known]]) : new Map()
}

// A restricted key may not read customers. The object itself has been read.
function ignoreApiError(error: unknown): null {
  if (error instanceof ApiError) return null
  throw error
}
