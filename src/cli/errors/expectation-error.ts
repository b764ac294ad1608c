/** The error for an unmet expectation: `timeout` if the time limit was reached, `assertion` if a condition is false. */
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
