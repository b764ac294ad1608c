/** An error that ended a command in the middle of its work; `done` is a sentence on what was carried out before. */
export class PartlyDone extends Error {
  readonly reason: unknown
  readonly done: string

  constructor(reason: unknown, done: string) {
    super(done)
    this.name = 'PartlyDone'
    this.reason = reason
    this.done = done
  }
}
