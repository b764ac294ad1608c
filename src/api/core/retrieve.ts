import { isDeleted } from '../../domain/core/changes.ts'
import { DomainError } from '../../domain/core/domain-error.ts'
import * as p from '../../domain/core/params.ts'
import type { Schema } from '../../domain/core/schema.ts'
import type { CompletableSessionCollection } from '../../engine/find-session.ts'
import { getTimeReference, type TimeReference } from '../../engine/time-reference.ts'
import type { CollectionRecordTypes } from '../../store/port/collections.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { getResource, type ResourceName } from '../resources/catalog.ts'
import { defineReadOperation, type Operation } from './operation.ts'

/** Parameters of an operation that takes only an id. */
export const idParams = p.shape({ id: p.id('The id of the object.') })

/**
 * Resolves with the object that has the given id. Rejects with `resource_missing` if the object does not exist: 404 for
 * an id in the path, 400 for an id in another parameter.
 */
export async function requireById<N extends ResourceName>(
  reader: StoreReader,
  collection: N,
  objectId: string,
  param = 'id',
): Promise<CollectionRecordTypes[N]> {
  const record = await reader.get(collection, objectId)
  if (record === null) throw createMissingObjectError(collection, objectId, param)
  return record
}

/** Like `requireById`, but also rejects if the object was deleted. */
export async function requireUndeleted<N extends ResourceName>(
  reader: StoreReader,
  collection: N,
  objectId: string,
  param = 'id',
): Promise<Exclude<CollectionRecordTypes[N], { readonly deleted: true }>> {
  const record = await requireById(reader, collection, objectId, param)
  if (isDeleted(record)) throw createMissingObjectError(collection, objectId, param)
  return record as Exclude<CollectionRecordTypes[N], { readonly deleted: true }>
}

/** Returns the error for a missing object: 404 when its id is in the path, otherwise 400. */
export function createMissingObjectError(
  collection: ResourceName,
  objectId: string,
  param = 'id',
): DomainError {
  const { object, listPath } = getResource(collection)
  return new DomainError(
    'resource_missing',
    `No such ${object}: '${objectId}'. List existing objects with GET /v1/${listPath}.`,
    { param },
  )
}

/** Returns a `loadTime` for an operation that uses the time of the object whose id is in a parameter. */
export function createTimeReferenceLoader(
  collection: CompletableSessionCollection | 'customers' | 'invoices' | 'subscriptions',
  param = 'id',
) {
  return async (reader: StoreReader, params: object): Promise<TimeReference | null> => {
    const id: unknown = Reflect.get(params, param)
    const record = typeof id === 'string' ? await reader.get(collection, id) : null
    return record === null || isDeleted(record) ? null : getTimeReference(record)
  }
}

interface RetrieveOptions<T> {
  /** The summary of the operation (default: for example `Retrieves a customer.`). */
  readonly summary?: string
  readonly description: string
  /** Transforms the record before it is returned. */
  readonly present?: (record: T, reader: StoreReader) => Promise<T>
}

/** Defines the retrieve operation of a resource. */
export function defineRetrieveOperation<N extends ResourceName>(
  name: N,
  response: Schema<CollectionRecordTypes[N]>,
  { summary, description, present = async (record) => record }: RetrieveOptions<CollectionRecordTypes[N]>,
): Operation<{ readonly id: string }, CollectionRecordTypes[N]> {
  const { object, path } = getResource(name)
  return defineReadOperation({
    path: `/v1/${path}/:id`,
    summary: summary ?? `Retrieves ${/^[aeiou]/.test(object) ? 'an' : 'a'} ${object.replace('_', ' ')}.`,
    description,
    params: idParams,
    response,
    load: async (reader, params) => present(await requireById(reader, name, params.id), reader),
  })
}
