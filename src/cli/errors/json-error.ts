import { getErrorMessage } from './error-fields.ts'
import { UsageError, type UsageErrorDetails } from './usage-error.ts'

/** Corrections of invalid JSON, by the text around the error; `|` is the position of the error. */
const CORRECTIONS: readonly (readonly [around: RegExp, correction: string])[] = [
  [/,\s*\|\s*[\]}]/, 'Remove the comma before the closing bracket.'],
  [/\|\s*'/, 'Write strings in double quotes.'],
  [/\|\s*(?:\/\/|\/\*|#)/, 'Remove the comment: JSON has no comments.'],
  [/[{,]\s*\|\s*[\w$]/, 'Write property names in double quotes.'],
  [/\|\s*$/, 'Add the missing end: each {, [ and " needs its closing character.'],
  [/["\]}\w]\s*\|\s*["{\w[]/, 'Add a comma, or a colon after a property name.'],
]

/** Returns the error for a text that is not valid JSON, with line and column; `source` begins the message. */
export function createJsonError(source: string, text: string, details: UsageErrorDetails = {}): UsageError {
  const at = findJsonError(text)
  const lines = text.slice(0, at).split('\n')
  const found =
    at < text.length
      ? `unexpected ${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))}`
      : 'the text ends too early'
  const around = `${text.slice(Math.max(0, at - 80), at)}|${text.slice(at, at + 80)}`
  const isJson = /^\s*[[{"]/.test(text)
  const correction = CORRECTIONS.find(([pattern]) => pattern.test(around))?.[1]
  const hint = isJson ? (correction ?? details.hint) : (details.hint ?? correction)
  const message = `${source} is not valid JSON: ${found} at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}.`
  return new UsageError('file_invalid', message, { ...details, hint })
}

// Not every message of JSON.parse contains the position, so search for the longest start that can become valid JSON.
function findJsonError(text: string): number {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (canBeCompleted(text.slice(0, middle))) low = middle
    else high = middle - 1
  }
  return low
}

function canBeCompleted(start: string): boolean {
  try {
    JSON.parse(start)
    return true
  } catch (error) {
    const message = getErrorMessage(error)
    const [, position = '-1'] = / at position (\d+)/.exec(message) ?? []
    return message === 'Unexpected end of JSON input' || Number(position) >= start.length
  }
}
