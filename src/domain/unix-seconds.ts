import type { ValidationError } from './domain-error.ts'

const FIRST_MILLISECOND_TIMESTAMP = 100_000_000_000

/** What is wrong with a moment if it was given in milliseconds; its message calls it by `name`, which `param` may differ from. */
export function millisecondProblems(
  name: string,
  moment: number | null | undefined,
  param = name,
): ValidationError[] {
  if (moment === undefined || moment === null || moment < FIRST_MILLISECOND_TIMESTAMP) return []
  const message = `${name} ${moment} looks like milliseconds; it must be in Unix seconds: ${Math.floor(moment / 1000)}.`
  return [{ code: 'timestamp_invalid', param, message }]
}
