/** What a command was asked to see and did not: `timeout` when it did not come in time, `assertion` when it is not so. */
export class Unmet extends Error {
  readonly code: 'timeout' | 'assertion'
  readonly hint: string | null

  constructor(code: 'timeout' | 'assertion', message: string, hint: string | null = null) {
    super(message)
    this.name = 'Unmet'
    this.code = code
    this.hint = hint
  }
}
