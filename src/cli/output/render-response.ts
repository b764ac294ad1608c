import type { Fields } from '../../client/fields.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import { UsageError } from '../errors/usage-error.ts'
import { type FlagValues, textsOf } from '../parse/params.ts'
import { valuesAt, valuesWithin } from './field-path.ts'
import { asListPage, viewList } from './list-view.ts'
import { viewObject } from './object-view.ts'
import { isTerminal, printData, printNote, renderJson } from './output.ts'
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
  if (fields.length > 0) return fields.flatMap((path) => fieldOf(answer, path).map(rawLine)).join('')
  if (format === 'json') return renderJson(answer)
  const page = asListPage(answer)
  return page === null ? viewObject(answer, style) : viewList(page, style)
}

/** The fields of one of many entries that differ: an empty line for what this one lacks, so that columns stay paired. */
export function renderFields(entry: object, paths: readonly string[]): string {
  const linesOf = (path: string) => {
    const found = valuesWithin(entry, path)
    return found.length === 0 ? '\n' : found.map(rawLine).join('')
  }
  return paths.map(linesOf).join('')
}

// What was asked for is done by now, and whoever misspelt a field should not do it again to see the id.
function fieldOf(answer: object, path: string): unknown[] {
  try {
    return valuesAt(answer, path)
  } catch (error) {
    if (!(error instanceof UsageError) || !('id' in answer)) throw error
    const { code, message, hint } = error
    const { done, next } = wayOn({ ...answer })
    throw new UsageError(code, `${message} ${done}`, { param: 'field', hint: `${hint ?? ''} ${next}` })
  }
}

/** What gives another secret in place of one that only the answer showed, by the kind of its object. */
const ANOTHER_SECRET: ReadonlyMap<unknown, string> = new Map([
  ['api_key', 'keys roll'],
  ['webhook_endpoint', 'webhooks endpoints roll-secret'],
])

function wayOn({ id, object, secret }: Readonly<Record<string, unknown>>) {
  const roll = ANOTHER_SECRET.get(object)
  if (secret === undefined || roll === undefined) {
    return { done: `The answer was ${id}.`, next: `All of it: paycli get ${id}` }
  }
  return {
    done: `The answer was ${id}, and its secret is not shown again.`,
    next: `Another secret: paycli ${roll} ${id}`,
  }
}

/** What people should know beside a list, or what has an effect only where there is something to do; null when there is nothing to say. */
export function noteOn(answer: object): string | null {
  const { object, resent }: Fields = { ...answer }
  if (object === 'webhook_recovery' && resent === 0) return 'Nothing of that was missed.'
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
