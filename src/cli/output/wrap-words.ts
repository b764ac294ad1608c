/** Words with commas between them, broken where the terminal ends; they go on below the first, which is at a column. */
export function layOut(words: readonly string[], { at, width }: { at: number; width: number }): string {
  const lines: string[] = []
  for (const word of words) {
    const joined = lines.length === 0 ? word : `${lines.at(-1)}, ${word}`
    if (lines.length === 0 || at + joined.length > width) lines.push(word)
    else lines[lines.length - 1] = joined
  }
  return lines.join(`,\n${' '.repeat(at)}`)
}
