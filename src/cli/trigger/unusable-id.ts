import { UsageError } from '../errors/usage-error.ts'

/** Returns the error for an unusable `--id`; `alternative` names another object, such as `another: paycli customers list`. */
export function createUnusableIdError(
  id: string,
  problem: string,
  alternative: string | null = null,
): UsageError {
  const other = alternative === null ? '' : `, or give ${alternative}`
  return new UsageError('id_unusable', `Cannot trigger this event with '${id}': it ${problem}.`, {
    param: 'id',
    hint: `Omit --id to create every object${other}`,
  })
}

/** Returns the error for an object without a test clock in a recipe that advances a clock. */
export function createNotOnClockError(id: string): UsageError {
  const alternative = 'an object on a test clock: paycli clock create'
  return createUnusableIdError(id, 'is in real time, which cannot be advanced', alternative)
}
