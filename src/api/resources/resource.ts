import type { Collections } from '../../store/port/collections.ts'
import { type CatalogEntry, type ResourceName, resourceNamed } from './catalog.ts'
import {
  constant,
  type ExactFields,
  type Exactly,
  type ExactObject,
  id,
  inferredObject,
  timestamp,
  titledObject,
} from './fields.ts'

/** The type of the objects of a resource; lists never contain deleted objects. */
export type ResourceObject<N extends ResourceName> = Exclude<Collections[N], { readonly deleted: true }>

/** A resource of the API: its catalog entry with the schema of its objects. */
export interface Resource<N extends ResourceName> extends CatalogEntry<N> {
  readonly schema: ExactObject<ResourceObject<N>>
}

type CommonField = 'id' | 'object' | 'created' | 'livemode'

/** Defines a resource of the catalog by the fields of its objects, without the fields that every object has. */
export function defineResource<N extends ResourceName>(
  name: N,
  fields: ExactFields<Omit<ResourceObject<N>, CommonField>>,
): Resource<N> {
  const entry = resourceNamed(name)
  const common = {
    id: id(`The id of the ${entry.object.replaceAll('_', ' ')}.`),
    object: constant(entry.object, 'The type of the object.'),
    created: timestamp('When the object was created, on its test clock if it has one.'),
    livemode: constant(false, 'Always false: no real money moves.'),
  }
  const all = { ...common, ...fields } as unknown as ExactFields<ResourceObject<N>>
  return { ...entry, schema: titledObject(entry.object, entry.description, all) }
}

/** Returns the schema of what remains of a deleted object. */
export function deletedObject<const O extends string>(object: O, description: string) {
  return inferredObject(`deleted_${object}`, description, {
    id: id(`The id of the ${object.replaceAll('_', ' ')}.`),
    object: constant(object, 'The type of the object.'),
    deleted: constant(true, 'Always true.'),
  })
}

/** Returns the schema of an object of a resource with its secret, which only some responses contain. */
export function withSecret<T extends object>(
  { schema }: { readonly schema: ExactObject<T> },
  title: string,
  description: string,
  secret: Exactly<string>,
): ExactObject<T & { readonly secret: string }> {
  const fields: unknown = { ...schema.properties, secret }
  return titledObject(title, description, fields as ExactFields<T & { readonly secret: string }>)
}
