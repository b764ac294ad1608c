import {
  getDisplayWidth,
  padToWidth,
  sliceToWidth,
  truncateWithEllipsis,
} from '../domain/text/display-width.ts'
import { escapeUnsafeCharacters } from '../domain/text/sanitize.ts'
import { wrapWords } from '../domain/text/wrap-words.ts'

/** A piece of a line in one style. */
export interface Span {
  readonly text: string
  readonly color?: 'red' | 'green' | 'yellow' | 'cyan' | 'magenta'
  readonly isDim?: boolean
  readonly isBold?: boolean
  readonly isInverse?: boolean
  readonly isUnderlined?: boolean
}

/** One line of the screen. */
export type Line = readonly Span[]

export type SpanStyle = Omit<Span, 'text'>

/** Creates a one-line span of untrusted text and escapes its terminal control characters. */
export function createUntrustedSpan(text: string, style: SpanStyle = {}): Span {
  return { text: escapeUnsafeCharacters(text).replaceAll('\n', '↵').replaceAll('\t', ' '), ...style }
}

/** Creates a span of trusted text. */
export function createSpan(text: string, style: SpanStyle = {}): Span {
  return { text, ...style }
}

/** Splits untrusted text at its line breaks. */
export function createUntrustedLines(text: string, style: SpanStyle = {}): Line[] {
  const lines = escapeUnsafeCharacters(text).replaceAll('\t', '  ').split('\n')
  return lines.map((line) => [createSpan(line, style)])
}

/** Wraps untrusted text at spaces into at most `maxLines` lines; a cut last line ends with an ellipsis. */
export function wrapUntrustedText(text: string, width: number, maxLines: number): string[] {
  const words = createUntrustedSpan(text).text.split(' ')
  const pieces = words.flatMap((word) => wrapLine([createSpan(word)], width).map(getLineText))
  const lines = wrapWords(pieces, ' ', width)
  if (lines.length <= maxLines) return lines
  return [...lines.slice(0, maxLines - 1), fitColumn(`${lines[maxLines - 1]} …`, width)]
}

/** Returns the text of a line. */
export function getLineText(line: Line): string {
  return line.map(({ text }) => text).join('')
}

/** Returns the number of terminal columns of a line. */
export function getLineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + getDisplayWidth(text), 0)
}

/** Pads text with spaces to `width` columns, or cuts it with an ellipsis. */
export function fitColumn(text: string, width: number): string {
  return padToWidth(truncateWithEllipsis(text, width), width)
}

/** Cuts a line to at most `width` columns, with an ellipsis. */
export function cutLine(line: Line, width: number): Line {
  if (getLineWidth(line) <= width) return line
  const cut: Span[] = []
  let free = width
  for (const one of line) {
    const columns = getDisplayWidth(one.text)
    if (columns >= free) {
      // A span that fills the line is cut too, because more text follows the span.
      cut.push({ ...one, text: free < 1 ? '' : `${sliceToWidth(one.text, free - 1)}…` })
      break
    }
    cut.push(one)
    free -= columns
  }
  return cut
}

/** Cuts or pads a line to exactly `width` columns. */
export function fitLine(line: Line, width: number): Line {
  const cut = cutLine(line, width)
  return [...cut, createSpan(' '.repeat(Math.max(0, width - getLineWidth(cut))))]
}

/** Returns the line of the cursor: with inverse colors, in exactly `width` columns. */
export function styleSelectedLine(line: Line, width: number): Line {
  return fitLine(line, width).map(({ text, isUnderlined = false }) => ({
    text,
    isUnderlined,
    isInverse: true,
  }))
}

const MIN_WRAP_COLUMNS = 10

/** Splits a line into lines of at most `width` columns, but at least 10; each further line starts at column `indent`. */
export function wrapLine(line: Line, width: number, indent = 0): Line[] {
  const columns = Math.max(MIN_WRAP_COLUMNS, width)
  const start = Math.min(indent, columns - MIN_WRAP_COLUMNS)
  const lines: Span[][] = [[]]
  let used = 0
  for (const { text, ...style } of line) {
    for (let rest = text; rest !== ''; ) {
      const head = sliceToWidth(rest, columns - used)
      if (head === '') {
        lines.push([createSpan(' '.repeat(start))])
        used = start
        continue
      }
      lines.at(-1)?.push({ text: head, ...style })
      used += getDisplayWidth(head)
      rest = rest.slice(head.length)
    }
  }
  return lines
}

/** Returns the line with each occurrence of `query` underlined, case-insensitively. */
export function underlineMatches(line: Line, query: string): Line {
  if (query === '') return line
  return line.flatMap((one) => highlightSpan(one, query.toLowerCase()))
}

function highlightSpan({ text, ...style }: Span, query: string): Span[] {
  const lower = text.toLowerCase()
  const spans: Span[] = []
  let end = 0
  // A few characters change their length in lower case, so positions in `lower` would be wrong.
  if (lower.length !== text.length) return [{ text, ...style }]
  for (let at = lower.indexOf(query); at !== -1; at = lower.indexOf(query, end)) {
    if (at > end) spans.push({ text: text.slice(end, at), ...style })
    end = at + query.length
    spans.push({ text: text.slice(at, end), ...style, color: 'yellow', isBold: true, isUnderlined: true })
  }
  return end < text.length || spans.length === 0 ? [...spans, { text: text.slice(end), ...style }] : spans
}
