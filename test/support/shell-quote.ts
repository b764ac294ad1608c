/** Quotes a word so that a POSIX shell takes it as it is, such as a path with a space. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
