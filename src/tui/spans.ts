import { sanitizeText } from '../domain/sanitize.ts'

/** A piece of a line in one style. */
export interface Span {
  readonly text: string
  readonly color?: 'red' | 'green' | 'yellow' | 'cyan'
  readonly isDim?: boolean
  readonly isBold?: boolean
  readonly isInverse?: boolean
}

/** One line of the screen. */
export type Line = readonly Span[]

/** Text that we did not write as a span of one line: nothing in it reaches the terminal as more than text. */
export function foreign(text: string, style: Omit<Span, 'text'> = {}): Span {
  return { text: sanitizeText(text).replaceAll('\n', '↵').replaceAll('\t', ' '), ...style }
}

/** Text of ours as a span. */
export function own(text: string, style: Omit<Span, 'text'> = {}): Span {
  return { text, ...style }
}

/** A foreign text of several lines as lines, cut at the width so that none is lost behind the edge. */
export function foreignLines(text: string, width: number, style: Omit<Span, 'text'> = {}): Line[] {
  const lines = sanitizeText(text).replaceAll('\t', '  ').split('\n')
  return lines.flatMap((line) => {
    const pieces = line.match(new RegExp(`.{1,${Math.max(width, 10)}}`, 'gu')) ?? ['']
    return pieces.map((piece) => [own(piece, style)])
  })
}

/** A foreign text as at most so many lines, broken between words where it can be; what is too much is cut. */
export function foreignNote(text: string, width: number, most: number): string[] {
  const pieces = new RegExp(`.{1,${Math.max(width, 10)}}`, 'gu')
  const words = foreign(text).text.split(' ')
  const lines: string[] = []
  for (const piece of words.flatMap((word) => word.match(pieces) ?? [''])) {
    const longer = lines.length === 0 ? piece : `${lines.at(-1)} ${piece}`
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(piece)
  }
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), column(`${lines[most - 1]} …`, width)]
}

/** The text in so many columns: filled with spaces, or cut with an ellipsis. */
export function column(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text.padEnd(width)
}
