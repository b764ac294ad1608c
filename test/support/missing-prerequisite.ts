/** Thrown when this machine lacks software that tests need; the message says what is missing and what to install. */
export class MissingPrerequisite extends Error {
  /** The runner recognizes the error by this code, because it cannot import the class. */
  readonly code = 'MISSING_PREREQUISITE'
}
