import type { JsonObject } from '../../client/json-object.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import { UsageError } from '../errors/usage-error.ts'
import { type FlagValues, textsOf } from '../parse/params.ts'
import { valuesAt, valuesWithin } from './field-path.ts'
import { formatList, toListResponse } from './list-view.ts'
import { renderObject } from './object-view.ts'
import { isTerminal, printData, printNote, renderJson } from './output.ts'
import { createStyle, isColorEnabled, type Style } from './style.ts'

/** The form of responses on stdout: `json` is one document, `text` is for terminals. */
export interface OutputForm {
  readonly format: 'json' | 'text'
  /** The paths of the fields to print unformatted; empty for the whole response. */
  readonly fields: readonly string[]
  readonly style: Style
}

/** Renders a response for stdout. Throws a UsageError when a selected field does not exist. */
export function renderResponse(response: object, { format, fields, style }: OutputForm): string {
  if (fields.length > 0) return fields.flatMap((path) => requireField(response, path).map(rawLine)).join('')
  if (format === 'json') return renderJson(response)
  const page = toListResponse(response)
  return page === null ? renderObject(response, style) : formatList(page, style)
}

/** Renders fields of one entry of a stream. A missing field is an empty line, so that every entry has the same lines. */
export function renderEntryFields(entry: object, paths: readonly string[]): string {
  const linesOf = (path: string) => {
    const found = valuesWithin(entry, path)
    return found.length === 0 ? '\n' : found.map(rawLine).join('')
  }
  return paths.map(linesOf).join('')
}

// The request has already succeeded, so the error names the id. Otherwise the user might repeat the request.
function requireField(response: object, path: string): unknown[] {
  try {
    return valuesAt(response, path)
  } catch (error) {
    if (!(error instanceof UsageError) || !('id' in response)) throw error
    const { id, object, secret }: JsonObject = { ...response }
    const rollCommand = secret === undefined ? undefined : ROLL_COMMANDS.get(object)
    const [note, next] =
      rollCommand === undefined
        ? ['', `See the whole object: paycli get ${id}`]
        : [' Its secret is not shown again.', `Create another secret: paycli ${rollCommand} ${id}`]
    const message = `${error.message} The response was ${id}.${note}`
    throw new UsageError(error.code, message, {
      param: 'field',
      hint: [error.hint, next].filter(Boolean).join(' '),
    })
  }
}

/** The commands that replace a secret which only one response contains, by object type. */
const ROLL_COMMANDS: ReadonlyMap<unknown, string> = new Map([
  ['api_key', 'keys roll'],
  ['webhook_endpoint', 'webhooks endpoints roll-secret'],
])

/** Returns the default note on a response: an empty result or further pages. Null when there is none. */
export function noteFor(response: object): string | null {
  const { object, resent }: JsonObject = { ...response }
  if (object === 'webhook_recovery' && resent === 0) return 'No missed deliveries found.'
  const page = toListResponse(response)
  if (page === null) return null
  const last = page.data.at(-1)
  if (last === undefined) return 'No results.'
  return page.has_more ? `More results: --starting-after ${last['id']}` : null
}

function rawLine(value: unknown): string {
  if (value === null || value === undefined) return '\n'
  return `${sanitizeText(typeof value === 'object' ? JSON.stringify(value) : String(value))}\n`
}

/** Returns the output form that the flags of a command select. */
export function outputFormFrom({ json, field, color }: FlagValues): OutputForm {
  return {
    format: json === true || !isTerminal() ? 'json' : 'text',
    fields: textsOf(field),
    style: createStyle(isColorEnabled(color, process.env, isTerminal())),
  }
}

/** Prints a response to stdout. On a terminal it also prints `note` to stderr. */
export function printResponse(
  response: object,
  flags: FlagValues,
  note: () => string | null = () => noteFor(response),
): void {
  printData(renderResponse(response, outputFormFrom(flags)))
  const text = isTerminal() ? note() : null
  if (text !== null) printNote(sanitizeText(text))
}
