/** Why the service cannot start, in words for whoever started it: what is in the way and how to go on. */
export class StartupProblem extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'StartupProblem'
    this.code = code
  }
}
