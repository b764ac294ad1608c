import { sanitizeText } from '../domain/sanitize.ts'
import { valuesAt } from './field-path.ts'
import { asListPage, viewList } from './list-view.ts'
import { viewObject } from './object-view.ts'
import { isTerminal, printData, printNote, renderJson } from './output.ts'
import { type FlagValues, textsOf } from './params.ts'
import { createStyle, isColorWanted, type Style } from './style.ts'

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

/** The form that the flags every command has ask for. */
export function formOf({ json, field, color }: FlagValues): OutputForm {
  return {
    format: json === true || !isTerminal() ? 'json' : 'text',
    fields: textsOf(field),
    style: createStyle(isColorWanted(color, process.env, isTerminal())),
  }
}

/** Prints an answer to stdout in the form that was asked for; `note` is for people only, and goes to stderr. */
export function printAnswer(
  answer: object,
  flags: FlagValues,
  note: () => string | null = () => noteOn(answer),
): void {
  printData(renderAnswer(answer, formOf(flags)))
  const remark = isTerminal() ? note() : null
  if (remark !== null) printNote(sanitizeText(remark))
}
