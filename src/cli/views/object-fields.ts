import { isJsonObject, type JsonObject } from '../../domain/core/json-object.ts'
import { formatTimestampField, toSingleLine } from '../output/format-values.ts'
import { type DisplayField, type FieldContext, getFieldContext } from './format-field.ts'
import { isId } from './short-ids.ts'

const MAX_DEPTH = 8
/** Fields that the headline shows, or that have the same value in every object. */
const OMITTED: ReadonlySet<string> = new Set(['id', 'object', 'livemode'])

/** A field of a response whose value is not an object. */
export interface ResponseField extends DisplayField {
  /** The path of the object that contains the field; empty for the response itself. */
  readonly parent: string
}

/**
 * Groups the fields of a response: its own values, ids of related objects, times, then the fields of each inner object.
 * Lists of objects and fields without a value are in no group.
 */
export function groupFields(object: JsonObject) {
  const isListed = typeof object['object'] === 'string' && typeof object['id'] === 'string'
  const shown = Object.entries(object).filter(([name]) => !isListed || !OMITTED.has(name))
  const fields = fieldsOf(Object.fromEntries(shown), '', getFieldContext(object))
  const values = fields.filter((field) => !isUnset(field) && !isObjectList(field))
  const own = values.filter(({ parent }) => parent === '')
  const inner = Map.groupBy(
    values.filter(({ parent }) => parent !== ''),
    ({ parent }) => parent,
  )
  const related = own.filter(({ value }) => isId(value))
  const times = own.filter(({ name, value }) => formatTimestampField(name, value) !== null)
  const others = own.filter((field) => !related.includes(field) && !times.includes(field))
  return {
    groups: [others, related, times, ...inner.values()].filter((group) => group.length > 0),
    lists: fields.filter(isObjectList),
    unset: fields.filter(isUnset),
  }
}

/** Returns the path of a field, such as `card.brand`. */
export function getResponseFieldPath({ parent, name }: ResponseField): string {
  return parent === '' ? name : `${parent}.${name}`
}

function fieldsOf(object: JsonObject, parent: string, context: FieldContext, depth = 1): ResponseField[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const field = { ...context, parent, name: toSingleLine(key), value }
    if (!isJsonObject(value) || isUnset(field) || depth >= MAX_DEPTH) return [field]
    return fieldsOf(value, getResponseFieldPath(field), getFieldContext(value, context), depth + 1)
  })
}

function isUnset({ value }: ResponseField): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function isObjectList({ value }: ResponseField): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject)
}
