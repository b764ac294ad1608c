/** Names that were given and that the command does not know, of which one may be misspelt. */
interface Strangers {
  readonly given: readonly string[]
  /** What could have been meant. */
  readonly known: readonly string[]
}

/** A command used wrongly: nothing was sent. `param` is the flag or argument at fault, `hint` what to try. */
export class UsageError extends Error {
  readonly code: string
  readonly param: string | null
  readonly hint: string | null
  readonly strangers: Strangers

  constructor(
    code: string,
    message: string,
    details: { readonly param?: string; readonly hint?: string; readonly strangers?: Strangers } = {},
  ) {
    super(message)
    this.name = 'UsageError'
    this.code = code
    this.param = details.param ?? null
    this.hint = details.hint ?? null
    this.strangers = details.strangers ?? { given: [], known: [] }
  }
}
