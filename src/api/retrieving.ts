import { Refusal } from '../domain/refusal.ts'
import type { Collection, Collections } from '../store/collections.ts'
import type { Reader } from '../store/store.ts'
import { type Lookup, lookup } from './operation.ts'
import { id, shape } from './schema.ts'

/** The parameters of an operation on one object. */
export const byId = shape({ id: id('The id of the object.') })

/** The object of an id in the path; 404 `resource_missing` when there is none. */
export async function requireById<C extends Collection>(
  reader: Reader,
  collection: C,
  objectId: string,
): Promise<Collections[C]> {
  const record = await reader.get(collection, objectId)
  if (record === null) throw missing(collection, objectId)
  return record
}

// Where a list is not at the plural of its objects.
const LIST_PATHS: Partial<Record<Collection, string>> = {
  payment_methods: '/v1/customers/:id/payment_methods',
}

/** The 404 of an id in the path. */
export function missing(collection: Collection, objectId: string): Refusal {
  const name = objectName(collection)
  return new Refusal(
    'resource_missing',
    `No such ${name}: '${objectId}'. List the ones there are with GET ${LIST_PATHS[collection] ?? `/v1/${collection}`}.`,
    { param: 'id' },
  )
}

function objectName(collection: Collection): string {
  return collection.replace(/ies$/, 'y').replace(/s$/, '')
}

/** The retrieve operation of a resource. */
export function retrieveOperation<C extends Collection>(
  collection: C,
  summary: string,
): Lookup<{ readonly id: string }, Collections[C]> {
  return lookup({
    method: 'GET',
    path: `/v1/${collection}/:id`,
    summary,
    params: byId,
    load: (reader, params) => requireById(reader, collection, params.id),
  })
}
