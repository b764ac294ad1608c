/** The reason why the server cannot start. The message says what failed and how to fix it. */
export class StartupError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'StartupError'
    this.code = code
  }
}
