import { sanitizeText } from '../domain/sanitize.ts'
import { valuesAt } from './field-path.ts'
import { asListPage, viewList } from './list-view.ts'
import { viewObject } from './object-view.ts'
import type { Style } from './style.ts'

const WIDE = 160

/** How data goes to stdout: `json` is one document, `text` is for people. */
export interface OutputForm {
  readonly format: 'json' | 'text'
  /** Paths of the only fields to print, raw; all fields when empty. */
  readonly fields: readonly string[]
  readonly style: Style
}

/** What goes to stdout for an answer; refuses with a UsageError when a field is not there. */
export function renderAnswer(answer: object, { format, fields, style }: OutputForm): string {
  if (fields.length > 0) return fields.flatMap((path) => valuesAt(answer, path).map(rawLine)).join('')
  if (format === 'json') return renderJson(answer)
  const page = asListPage(answer)
  return page === null ? viewObject(answer, style) : viewList(page, style)
}

/** One JSON document; what could harm a terminal is escaped, which leaves its meaning as it was. */
export function renderJson(value: object): string {
  return `${sanitizeText(JSON.stringify(value, null, 2))}\n`
}

/** The same on one line, for answers that follow each other. */
export function renderJsonLine(value: object): string {
  return `${sanitizeText(JSON.stringify(value))}\n`
}

/** Text for people that holds what we did not write. */
export function renderText(text: string): string {
  return sanitizeText(text)
}

/** What people should know beside a list; null when there is nothing to say. */
export function noteOn(answer: object): string | null {
  const page = asListPage(answer)
  const last = page?.data.at(-1)
  if (page === null) return null
  if (last === undefined) return 'Nothing found.'
  return page.has_more ? `There are more: --starting-after ${last['id']}` : null
}

function rawLine(value: unknown): string {
  if (value === null || value === undefined) return '\n'
  return `${sanitizeText(typeof value === 'object' ? JSON.stringify(value) : String(value))}\n`
}

/** Whether people read stdout. */
export function isTerminal(): boolean {
  return process.stdout.isTTY === true
}

/** Writes data: the only thing that ever goes to stdout. */
export function printData(text: string): void {
  process.stdout.write(text)
}

/** Writes a remark for people to stderr; it may be styled, so what is foreign in it must be sanitized already. */
export function printNote(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** How many columns the terminal on stdout has; those of a wide page when there is none. */
export function terminalWidth(): number {
  return process.stdout.columns ?? WIDE
}
