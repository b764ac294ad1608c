/** Returns a word, quoted for POSIX shells if necessary, for commands in messages that the user can copy. */
export function quoteForShell(word: string): string {
  return /^[\w./:@-][\w./:@=,+-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
