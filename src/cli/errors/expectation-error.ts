/** The error of an unmet expectation of the user: `timeout` if it was not met in time, `assertion` if it is false. */
export class ExpectationError extends Error {
  readonly code: 'timeout' | 'assertion'
  readonly hint: string | null

  constructor(code: 'timeout' | 'assertion', message: string, hint: string | null = null) {
    super(message)
    this.name = 'ExpectationError'
    this.code = code
    this.hint = hint
  }
}
