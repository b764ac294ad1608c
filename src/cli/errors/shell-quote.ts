/** Returns a word as a POSIX shell reads it, quoted if necessary, for commands in messages that the user can copy. */
export function quoteForShell(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
