import { getDisplayWidth } from './display-width.ts'

/** Joins words into lines of at most `width` terminal columns. A longer word gets its own line. */
export function wrapWords(words: readonly string[], separator: string, width: number): string[] {
  const cells = words.map((text) => ({ text }))
  return groupIntoLines(cells, separator, width).map((line) => line.map(({ text }) => text).join(separator))
}

/** Groups cells and separators into lines of at most `width` terminal columns; a longer cell gets its own line. */
export function groupIntoLines<T extends { readonly text: string }>(
  cells: readonly T[],
  separator: string,
  width: number,
): T[][] {
  const lines: T[][] = []
  let used = 0
  for (const cell of cells) {
    used += getDisplayWidth(separator + cell.text)
    const line = lines.at(-1)
    if (line !== undefined && used <= width) line.push(cell)
    else {
      lines.push([cell])
      used = getDisplayWidth(cell.text)
    }
  }
  return lines
}
