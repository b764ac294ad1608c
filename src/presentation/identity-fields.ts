import { resourceOfObject } from '../api/resources/catalog.ts'
import type { JsonObject } from '../domain/core/json-object.ts'
import { fieldAt, fieldNameOf, formatCompositeField } from './field-values.ts'

/** Returns the paths of the short fields that distinguish an object from other objects of its type. */
export function identityPaths(object: JsonObject): readonly string[] {
  const paths = resourceOfObject(object['object'])?.identity ?? []
  return paths.filter((path) => {
    const value = fieldAt(object, path)
    return typeof value === 'object'
      ? formatCompositeField(fieldNameOf(object, path), value) !== null
      : value !== undefined
  })
}
