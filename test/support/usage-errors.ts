import { UsageError } from '../../src/cli/errors/usage-error.ts'

/** Runs `work` and returns the UsageError that it throws. */
export function usageErrorFrom(work: () => unknown): UsageError {
  try {
    work()
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error('expected a UsageError, but nothing was thrown')
}
