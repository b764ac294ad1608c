import { findNearestName } from '../../api/schema/spelling.ts'
import { createInvalidFlagError, type UsageError } from './usage-error.ts'

const MAX_LISTED_CHOICES = 6

/** Creates the error for a value that is none of the choices of a flag. Suggests the nearest choice, or the first. */
export function createChoiceError(flag: string, given: string, choices: readonly string[]): UsageError {
  const similar = findNearestName(given.toLowerCase(), choices)
  // `unpaid` is the opposite of `paid`, so do not suggest one for the other.
  const nearest = similar !== null && given.endsWith(`un${similar}`) ? null : similar
  const choice = nearest ?? choices[0]
  const isLong = choices.length > MAX_LISTED_CHOICES
  const listed = isLong ? `${choices.length} values, such as ${choice}, ${choices[1]}` : choices.join(', ')
  const hint = `${nearest === null ? 'For instance:' : 'Use'} --${flag} ${choice}`
  return createInvalidFlagError(flag, given, `one of ${listed}`, hint)
}
