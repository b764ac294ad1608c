import { isJsonObject, type JsonObject } from '../domain/core/json-object.ts'

/** A changed field of an object. A missing value is null. */
export interface FieldChange {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** Returns the changes to the given fields. Changes inside objects have paths such as `card.last4`. */
export function diffFields(
  names: readonly string[],
  before: JsonObject,
  after: JsonObject,
  prefix = '',
): FieldChange[] {
  return names.flatMap((name) => {
    const [from, to] = [before[name], after[name]]
    if (!isJsonObject(from) && !isJsonObject(to))
      return [{ field: prefix + name, from: from ?? null, to: to ?? null }]
    return diffObjects(isJsonObject(from) ? from : {}, isJsonObject(to) ? to : {}, `${prefix}${name}.`)
  })
}

/** Returns every changed field of an object. */
export function diffObjects(before: JsonObject, after: JsonObject, prefix = ''): FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return diffFields(changed, before, after, prefix)
}
