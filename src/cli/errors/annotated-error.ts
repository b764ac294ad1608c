/** Information that only the command has about an error. */
interface Annotations {
  /** A sentence about the actions that the command completed before the error. */
  readonly done?: string
  /** A hint that replaces the hint of the error itself. */
  readonly hint?: string
}

/** An error with the completed actions and the hint of the command that failed. */
export class AnnotatedError extends Error {
  readonly originalError: unknown
  readonly annotations: Annotations

  constructor(originalError: unknown, annotations: Annotations) {
    super(String(originalError))
    this.name = 'AnnotatedError'
    this.originalError = originalError
    this.annotations = annotations
  }
}
