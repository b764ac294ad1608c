/** The largest body that the server accepts. */
const MAX_BYTES = 256 * 1024

/** Returns the JSON object of a fixture file, or an error message if it cannot run. */
export function parseFixtureFile(text: string): object | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `The file is not valid JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'The file is not a JSON object: write {"fixtures":[{"path":"/v1/customers","params":{…}}]}.'
  // Measured without white space between the values, like the body of the request.
  if (new TextEncoder().encode(JSON.stringify(value)).length <= MAX_BYTES) return value
  return `The file is larger than ${MAX_BYTES / 1024} KiB. Run it with paycli fixtures run.`
}
