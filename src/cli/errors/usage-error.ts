/** Details of a usage error: the invalid flag or argument, a hint, and names that may be misspelled. */
export interface UsageErrorDetails {
  readonly param?: string
  readonly hint?: string | undefined
  /** The unknown parameter names, and the known names that the user may have meant. */
  readonly unknownNames?: { readonly given: readonly string[]; readonly known: readonly string[] }
}

/** The error for an invalid command line or input file. */
export class UsageError extends Error {
  readonly code: string
  readonly param: string | null
  readonly hint: string | null
  readonly unknownNames: NonNullable<UsageErrorDetails['unknownNames']>

  constructor(code: string, message: string, details: UsageErrorDetails = {}) {
    super(message)
    this.name = 'UsageError'
    this.code = code
    this.param = details.param ?? null
    this.hint = details.hint ?? null
    this.unknownNames = details.unknownNames ?? { given: [], known: [] }
  }
}

/** Creates the error for an invalid flag value. `expected` describes a valid value, such as `an integer`. */
export function createInvalidFlagError(
  flag: string,
  value: string,
  expected: string,
  hint?: string,
): UsageError {
  const message = `Invalid --${flag} '${value}': expected ${expected}.`
  return new UsageError('flag_invalid', message, { param: flag, hint })
}
