/** Returns the message of a thrown value. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns the code of a system error, such as `ENOENT`, or null. */
export function findSystemErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
