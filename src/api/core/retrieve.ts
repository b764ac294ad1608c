import { DomainError } from '../../domain/domain-error.ts'
import type { Collections } from '../../store/port/collections.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { type ResourceName, resourceNamed } from '../resources/catalog.ts'
import type { Exactly } from '../resources/fields.ts'
import type { Resource } from '../resources/resource.ts'
import { id, shape } from '../schema/schema.ts'
import { defineLookup, type Operation } from './operation.ts'

/** Parameters of an operation that takes only an id. */
export const idParams = shape({ id: id('The id of the object.') })

/**
 * Resolves with the object of an id. Rejects with `resource_missing` if it does not exist: 404 for an id in the path, 400 for
 * one in another parameter.
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

/** Returns the error of an object that does not exist: 404 when its id is in the path, else 400. */
export function missingObjectError(collection: ResourceName, objectId: string, param = 'id'): DomainError {
  const { object, listPath } = resourceNamed(collection)
  return new DomainError(
    'resource_missing',
    `No such ${object}: '${objectId}'. List the existing ones with GET /v1/${listPath}.`,
    { param },
  )
}

interface DefineRetrieveOptions<N extends ResourceName> {
  readonly summary: string
  readonly description: string
  /** The response schema (default: the schema of the resource); deleted objects may have another. */
  readonly response?: Exactly<Collections[N]>
}

/** Defines the retrieve operation of a resource. */
export function defineRetrieve<N extends ResourceName>(
  resource: Resource<N>,
  options: DefineRetrieveOptions<N>,
): Operation<{ readonly id: string }, Collections[N]> {
  const { summary, description } = options
  // Without deleted objects, the stored objects match the schema, but the compiler cannot infer that for every N.
  const response = options.response ?? (resource.schema as unknown as Exactly<Collections[N]>)
  return defineLookup({
    method: 'GET',
    path: `/v1/${resource.path}/:id`,
    summary,
    description,
    params: idParams,
    response,
    load: (reader, params) => requireById(reader, resource.name, params.id),
  })
}
