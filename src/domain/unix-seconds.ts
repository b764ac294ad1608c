import type { ValidationError } from './domain-error.ts'

const FIRST_MILLISECOND_TIMESTAMP = 100_000_000_000

/**
 * Returns a validation error when a timestamp is in milliseconds. The message uses `name`; `param` is the full path.
 */
export function validateUnixSeconds(
  name: string,
  timestamp: number | null | undefined,
  param = name,
): ValidationError[] {
  if (timestamp === undefined || timestamp === null || timestamp < FIRST_MILLISECOND_TIMESTAMP) return []
  const message = `${name} ${timestamp} looks like milliseconds. Use Unix seconds: ${Math.floor(timestamp / 1000)}.`
  return [{ code: 'timestamp_invalid', param, message }]
}
