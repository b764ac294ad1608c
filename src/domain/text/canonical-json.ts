/** Returns a value as JSON text with sorted fields, so that equal values have equal JSON. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_field, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
