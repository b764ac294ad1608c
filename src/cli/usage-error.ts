/** A command used wrongly: nothing was sent. `param` is the flag or argument at fault, `hint` what to try. */
export class UsageError extends Error {
  readonly code: string
  readonly param: string | null
  readonly hint: string | null

  constructor(
    code: string,
    message: string,
    details: { readonly param?: string; readonly hint?: string } = {},
  ) {
    super(message)
    this.name = 'UsageError'
    this.code = code
    this.param = details.param ?? null
    this.hint = details.hint ?? null
  }
}
