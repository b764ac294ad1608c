/** Thrown when a delivery was not attempted. The delivery stays pending unless the listener skipped it (`isSettled`). */
export class NotAttemptedError extends Error {
  readonly isSettled: boolean

  constructor(message: string, isSettled = false) {
    super(message)
    this.name = 'NotAttemptedError'
    this.isSettled = isSettled
  }
}
