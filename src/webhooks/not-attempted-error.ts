/** Thrown when a delivery was not attempted. It stays pending unless `isSettled`: then the filter of its listener skipped it. */
export class NotAttemptedError extends Error {
  readonly isSettled: boolean

  constructor(message: string, isSettled = false) {
    super(message)
    this.name = 'NotAttemptedError'
    this.isSettled = isSettled
  }
}
