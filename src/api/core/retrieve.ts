import { DomainError } from '../../domain/core/domain-error.ts'
import * as p from '../../domain/core/params.ts'
import type { Schema } from '../../domain/core/schema.ts'
import { type EffectiveTime, effectiveTimeOf } from '../../engine/effective-time.ts'
import type { SessionCollection } from '../../engine/find-session.ts'
import type { Collections } from '../../store/port/collections.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { type ResourceName, resourceNamed } from '../resources/catalog.ts'
import { defineLookup, type Operation } from './operation.ts'

/** Parameters of an operation that takes only an id. */
export const idParams = p.shape({ id: p.id('The id of the object.') })

/**
 * Resolves with the object that has the given id. Rejects with `resource_missing` if it does not exist: 404 for an id
 * in the path, 400 for an id in another parameter.
 */
export async function requireById<N extends ResourceName>(
  reader: StoreReader,
  collection: N,
  objectId: string,
  param = 'id',
): Promise<Collections[N]> {
  const record = await reader.get(collection, objectId)
  if (record === null) throw missingObjectError(collection, objectId, param)
  return record
}

/** Like `requireById`, but also rejects if the object was deleted. */
export async function requireUndeleted<N extends ResourceName>(
  reader: StoreReader,
  collection: N,
  objectId: string,
  param = 'id',
): Promise<Exclude<Collections[N], { readonly deleted: true }>> {
  const record = await requireById(reader, collection, objectId, param)
  if ('deleted' in record) throw missingObjectError(collection, objectId, param)
  return record as Exclude<Collections[N], { readonly deleted: true }>
}

/** Returns the error for a missing object: 404 when its id is in the path, otherwise 400. */
export function missingObjectError(collection: ResourceName, objectId: string, param = 'id'): DomainError {
  const { object, listPath } = resourceNamed(collection)
  return new DomainError(
    'resource_missing',
    `No such ${object}: '${objectId}'. List existing objects with GET /v1/${listPath}.`,
    { param },
  )
}

/** Returns a `loadTime` for an operation on the object whose id is in the path. */
export function createTimeLoader(collection: SessionCollection | 'invoices' | 'subscriptions') {
  return async (
    reader: StoreReader,
    { id }: { readonly id?: string | null | undefined },
  ): Promise<EffectiveTime | null> => {
    const record = id ? await reader.get(collection, id) : null
    return record && effectiveTimeOf(record)
  }
}

interface RetrieveOptions<T> {
  /** Default: `Retrieves a customer.` */
  readonly summary?: string
  readonly description: string
  /** Transforms the record before it is returned. */
  readonly present?: (record: T, reader: StoreReader) => Promise<T>
}

/** Defines the retrieve operation of a resource. */
export function defineRetrieve<N extends ResourceName>(
  name: N,
  response: Schema<Collections[N]>,
  { summary, description, present = async (record) => record }: RetrieveOptions<Collections[N]>,
): Operation<{ readonly id: string }, Collections[N]> {
  const { object, path } = resourceNamed(name)
  return defineLookup({
    path: `/v1/${path}/:id`,
    summary: summary ?? `Retrieves ${/^[aeiou]/.test(object) ? 'an' : 'a'} ${object.replace('_', ' ')}.`,
    description,
    params: idParams,
    response,
    load: async (reader, params) => present(await requireById(reader, name, params.id), reader),
  })
}
