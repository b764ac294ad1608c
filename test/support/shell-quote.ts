/** Quotes a word for a POSIX shell, such as a path with a space. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
