import type { JsonObject } from '../../domain/core/json-object.ts'
import { isCouponReference, isObjectId } from '../format/format-field.ts'

/** An object of the API of any type. */
export interface ApiObject {
  readonly id: string
  readonly object: string
  readonly [field: string]: unknown
}

/** The related objects of one type, newest first. */
export interface RelatedGroup {
  readonly title: string
  readonly objects: readonly ApiObject[]
  /** Whether the list has more objects than were read. */
  readonly hasMore: boolean
}

/** The fields of each object type that refer to other objects whose events belong to its history. */
const OWN_REFERENCES: Readonly<Record<string, readonly string[]>> = {
  subscription: ['checkout_session', 'default_payment_method'],
  checkout_session: ['subscription', 'payment_method'],
  payment_session: ['payment_method'],
  card_session: ['payment_method'],
}

/** Returns the ids of the objects whose events belong to the history of an object, the object first. */
export function listHistoryObjectIds(object: ApiObject, related: readonly RelatedGroup[]): readonly string[] {
  const fields = OWN_REFERENCES[object.object] ?? []
  const references = listObjectReferences(object).filter(({ field }) => fields.includes(field))
  const newest = related
    .flatMap(({ objects }) => objects)
    .filter((one) => one.object !== 'webhook_delivery')
    .sort((a, b) => Number(b['created']) - Number(a['created']))
  return [...new Set([object.id, ...references.map(({ id }) => id), ...newest.map(({ id }) => id)])]
}

/** Returns the ids of other objects in the fields of an object, with the field names. */
export function listObjectReferences(
  object: JsonObject,
): readonly { readonly field: string; readonly id: string }[] {
  return Object.entries(object).flatMap(([field, value]) =>
    value !== object['id'] &&
    typeof value === 'string' &&
    (isObjectId(value) || isCouponReference(field, value))
      ? [{ field, id: value }]
      : [],
  )
}
