/** An expectation of the user that was not met: `timeout` when it did not happen in time, `assertion` when it is false. */
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
