/** The error for an expectation that was not met: `timeout` if the time was up, `assertion` if a condition is false. */
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
