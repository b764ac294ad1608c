/** Thrown when this machine lacks software that tests need; the message names the missing software and its packages. */
export class MissingPrerequisite extends Error {
  /** The runner recognizes the error by this code, because it cannot import the class. */
  readonly code = 'MISSING_PREREQUISITE'
}
