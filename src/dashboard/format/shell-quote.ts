/** Returns a text as one word of a command line. */
export function shellQuote(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
