/** Anything with named fields, as it came over the wire or from a file. */
export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is an object with named fields, and no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
