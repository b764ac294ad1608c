import { DomainError } from '../../domain/domain-error.ts'
import type { Collection, Collections } from '../../store/port/collections.ts'
import type { Reader } from '../../store/port/store.ts'
import { objectAnswer, type Shown } from '../resources/answers.ts'
import { id, shape } from '../schema/schema.ts'
import { type Lookup, lookup } from './operation.ts'

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

/** The object of an id in the body; 400 `resource_missing` names the parameter. */
export async function requireReferenced<C extends Collection>(
  reader: Reader,
  collection: C,
  given: { readonly param: string; readonly id: string },
): Promise<Collections[C]> {
  const record = await reader.get(collection, given.id)
  if (record !== null) return record
  throw new DomainError(
    'resource_missing',
    `No such ${objectName(collection)}: '${given.id}'. List the ones there are with GET ${LIST_PATHS[collection] ?? `/v1/${collection}`}.`,
    { param: given.param },
  )
}

// Where a list is not at the plural of its objects.
const LIST_PATHS: Partial<Record<Collection, string>> = {
  payment_methods: '/v1/customers/:id/payment_methods',
  test_clocks: '/v1/test_helpers/test_clocks',
}

/** The 404 of an id in the path. */
export function missing(collection: Collection, objectId: string): DomainError {
  const name = objectName(collection)
  return new DomainError(
    'resource_missing',
    `No such ${name}: '${objectId}'. List the ones there are with GET ${LIST_PATHS[collection] ?? `/v1/${collection}`}.`,
    { param: 'id' },
  )
}

/** What one object of a collection is called, such as `webhook_delivery`. */
export function objectName(collection: string): string {
  return collection.replace(/ies$/, 'y').replace(/s$/, '')
}

/** The retrieve operation of a resource. */
export function retrieveOperation<C extends Shown>(
  collection: C,
  summary: string,
): Lookup<{ readonly id: string }, Collections[C]> {
  return lookup({
    method: 'GET',
    path: `/v1/${collection}/:id`,
    summary,
    params: byId,
    answer: objectAnswer(collection),
    load: (reader, params) => requireById(reader, collection, params.id),
  })
}
