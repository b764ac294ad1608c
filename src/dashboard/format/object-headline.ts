import type { JsonObject } from '../../domain/core/json-object.ts'
import { findCurrency, findFieldValue, getFieldName } from '../../presentation/field-values.ts'
import { listIdentityPaths } from '../../presentation/identity-fields.ts'
import { humanizeName } from '../../presentation/words.ts'
import { createFieldText, isolateRightToLeft } from './format-field.ts'

const MAX_CHARACTERS = 120

/** Returns a short description of an object, such as `12.50 EUR · Visa •••• 4242`; empty without identifying fields. */
export function formatObjectHeadline(given: object): string {
  const object: JsonObject = { ...given }
  const currency = findCurrency(object)
  const words = listIdentityPaths(object).map(
    (path) => createFieldText(getFieldName(object, path), findFieldValue(object, path), currency).text,
  )
  const text = words.join(' · ')
  return isolateRightToLeft(
    text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…` : text,
  )
}

/** Returns the name of the type of an object, such as `Payment session`. */
export function getObjectTypeName(given: object): string {
  const { object }: JsonObject = { ...given }
  return typeof object === 'string' ? humanizeName(object) : 'Object'
}
