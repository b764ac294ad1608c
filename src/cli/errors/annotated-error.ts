/** What a command knows beside an error. */
interface More {
  /** What was carried out before it, in a sentence. */
  readonly done?: string
  /** What to try, where that is not what the error itself leads to. */
  readonly hint?: string
}

/** An error, and what only the command knows of it. */
export class Explained extends Error {
  readonly reason: unknown
  readonly more: More

  constructor(reason: unknown, more: More) {
    super(String(reason))
    this.name = 'Explained'
    this.reason = reason
    this.more = more
  }
}
