import { sanitizeText } from '../domain/sanitize.ts'
import { wrapWords } from '../domain/wrap-words.ts'

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

type SpanStyle = Omit<Span, 'text'>

/** Creates a one-line span of untrusted text and escapes its terminal control characters. */
export function untrustedSpan(text: string, style: SpanStyle = {}): Span {
  return { text: sanitizeText(text).replaceAll('\n', '↵').replaceAll('\t', ' '), ...style }
}

/** Creates a span of text written in this program. */
export function span(text: string, style: SpanStyle = {}): Span {
  return { text, ...style }
}

/** Splits untrusted text into lines of at most `width` characters, but at least 10. */
export function untrustedLines(text: string, width: number, style: SpanStyle = {}): Line[] {
  const lines = sanitizeText(text).replaceAll('\t', '  ').split('\n')
  return lines.flatMap((line) => splitByWidth(line, width).map((piece) => [span(piece, style)]))
}

/** Wraps untrusted text at spaces into at most `maxLines` lines; the last one ends with an ellipsis if cut. */
export function wrapUntrusted(text: string, width: number, maxLines: number): string[] {
  const words = untrustedSpan(text).text.split(' ')
  const pieces = words.flatMap((word) => splitByWidth(word, width))
  const lines = wrapWords(pieces, ' ', width)
  if (lines.length <= maxLines) return lines
  return [...lines.slice(0, maxLines - 1), fitColumn(`${lines[maxLines - 1]} …`, width)]
}

/** Pads text with spaces to `width` columns, or cuts it with an ellipsis. */
export function fitColumn(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text.padEnd(width)
}

function splitByWidth(text: string, width: number): readonly string[] {
  return text.match(new RegExp(`.{1,${Math.max(width, 10)}}`, 'gu')) ?? ['']
}
