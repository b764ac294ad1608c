/** A trigger of `paycli trigger`. */
export interface Scene {
  /** The type of the event that the trigger causes. */
  readonly type: string
  /** The description of the trigger, as in paycli trigger --list. */
  readonly how: string
}

/** Returns the scenes that contain every word of a filter, grouped by the object of their event type. */
export function filterAndGroupScenes(
  scenes: readonly Scene[],
  filter: string,
): ReadonlyMap<string, readonly Scene[]> {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = scenes.filter(({ type, how }) => {
    const text = `${type} ${type.replaceAll('_', ' ')} ${how}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return Map.groupBy(matches, ({ type }) => type.split('.')[0] ?? '')
}

/** Maximum size of a request body in bytes. */
const MAX_BYTES = 256 * 1024

/** Returns the JSON object of a fixture file; an error message if the file is not valid or too large. */
export function parseFixtureFile(text: string): object | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `The file is not valid JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'The file is not a JSON object: write {"fixtures":[{"path":"/v1/customers","params":{…}}]}.'
  // Measure the JSON without white space between the values, as it is in the request body.
  if (new TextEncoder().encode(JSON.stringify(value)).length <= MAX_BYTES) return value
  return `The file is larger than ${MAX_BYTES / 1024} KiB. Run it with paycli fixtures run.`
}
