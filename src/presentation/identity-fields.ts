import { findResourceByObjectName } from '../api/resources/catalog.ts'
import type { JsonObject } from '../domain/core/json-object.ts'
import { findFieldValue, formatCompositeField, getFieldName } from './field-values.ts'

/** Returns the paths of the short fields that distinguish an object from other objects of its type. */
export function listIdentityPaths(object: JsonObject): readonly string[] {
  const paths = findResourceByObjectName(object['object'])?.identity ?? []
  return paths.filter((path) => {
    const value = findFieldValue(object, path)
    return typeof value === 'object'
      ? formatCompositeField(getFieldName(object, path), value) !== null
      : value !== undefined
  })
}
