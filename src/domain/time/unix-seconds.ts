import type { ValidationError } from '../core/domain-error.ts'

const FIRST_MILLISECOND_TIMESTAMP = 100_000_000_000

/**
 * Returns a validation error when a timestamp is in milliseconds. The message uses `name`; `param` is the full path.
 */
export function listUnixSecondsErrors(
  name: string,
  timestamp: number | null | undefined,
  param = name,
): ValidationError[] {
  if (timestamp === undefined || timestamp === null || timestamp < FIRST_MILLISECOND_TIMESTAMP) return []
  const message = `${name} ${timestamp} looks like milliseconds. Use Unix seconds: ${Math.floor(timestamp / 1000)}.`
  return [{ code: 'timestamp_invalid', param, message }]
}

/** Returns the validation errors of `expires_at`: it must be a future time in Unix seconds. */
export function listExpiryErrors(expiresAt: number | null | undefined, wallNow: number): ValidationError[] {
  if (expiresAt === undefined || expiresAt === null) return []
  if (expiresAt > wallNow) return listUnixSecondsErrors('expires_at', expiresAt)
  const message = `Invalid expires_at ${expiresAt}: it must be in the future. The current time is ${wallNow} in Unix seconds. Give a later time or omit expires_at.`
  return [{ code: 'timestamp_invalid', param: 'expires_at', message }]
}
