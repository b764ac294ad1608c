/** Joins words into lines of at most `width` characters. A longer word gets its own line. */
export function wrapWords(words: readonly string[], separator: string, width: number): string[] {
  const lines: string[] = []
  for (const word of words) {
    const line = lines.at(-1)
    const joined = line === undefined ? word : line + separator + word
    if (line === undefined || joined.length > width) lines.push(word)
    else lines[lines.length - 1] = joined
  }
  return lines
}
