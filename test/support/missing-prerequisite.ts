/** Thrown when this machine lacks software that tests need; the message says what is missing and what to install. */
export class MissingPrerequisite extends Error {
  /** By which the runner, which imports no TypeScript types, recognizes it. */
  readonly code = 'MISSING_PREREQUISITE'
}
