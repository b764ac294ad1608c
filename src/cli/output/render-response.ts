import type { JsonObject } from '../../domain/core/json-object.ts'
import { escapeUnsafeCharacters } from '../../domain/text/sanitize.ts'
import { UsageError } from '../errors/usage-error.ts'
import { type FlagValues, listFlagValues } from '../parse/params.ts'
import { findStreamEntryValues, getValuesAtPath } from './field-path.ts'
import { toSingleLine } from './format-values.ts'
import { parseListResponse } from './list-response.ts'
import { isStdoutTerminal, printNote, renderJson, writeToStdout } from './output.ts'
import { createStyle, isColorEnabled } from './style.ts'

/** Renders a response as data: its JSON, or its selected fields. Throws a UsageError when a field does not exist. */
export function renderJsonOrFields(response: object, fields: readonly string[]): string {
  if (fields.length === 0) return renderJson(response)
  const rows = fields.length > 1 ? fieldRows(response, fields) : null
  if (rows === null) return fields.flatMap((path) => requireField(response, path).map(rawLine)).join('')
  // A tab or a line break in a value would end the cell, so they are escaped.
  const toLine = (cells: unknown[]) => cells.map((cell) => toSingleLine(rawText(cell))).join('\t')
  return rows.map((cells) => `${toLine(cells)}\n`).join('')
}

// Returns one row per list element if all paths select fields of the same list, or null.
function fieldRows(response: object, fields: readonly string[]): unknown[][] | null {
  const lists = new Set(fields.map((path) => /^(.*?)\[\]/.exec(path)?.[1]))
  const [list] = lists
  if (lists.size > 1 || list === undefined) return null
  const [elements] = list === '' ? [response] : requireField(response, list)
  if (!Array.isArray(elements)) return null
  return elements.map((_, index) =>
    fields.map((path) => singleValue(requireField(response, path.replace('[]', `[${index}]`)))),
  )
}

function singleValue(values: readonly unknown[]): unknown {
  return values.length === 1 ? values[0] : values
}

/**
 * Renders fields of a stream entry. A missing field is an empty line, so that every entry has the same number of lines.
 */
export function renderStreamEntryFields(entry: object, paths: readonly string[]): string {
  const linesOf = (path: string) => {
    const found = findStreamEntryValues(entry, path)
    return found.length === 0 ? '\n' : found.map(rawLine).join('')
  }
  return paths.map(linesOf).join('')
}

// The request has already succeeded, so the error names the id. Otherwise the user might repeat the request.
function requireField(response: object, path: string): unknown[] {
  try {
    return getValuesAtPath(response, path)
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

/** Returns the note for an empty list or for further pages, or null. */
export function findListNote(response: object): string | null {
  const { object, resent }: JsonObject = { ...response }
  if (object === 'webhook_recovery' && resent === 0) return 'No missed deliveries found.'
  const page = parseListResponse(response)
  if (page === null) return null
  const last = page.data.at(-1)
  if (last === undefined) return 'No results.'
  return page.has_more ? `More results: --starting-after ${last['id']}` : null
}

function rawLine(value: unknown): string {
  return `${escapeUnsafeCharacters(rawText(value))}\n`
}

function rawText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
}

/** The form of responses on stdout. */
export type OutputSettings = ReturnType<typeof getOutputSettings>

/** Returns the output form that the flags of a command select: `json` is one document, `text` is for terminals. */
export function getOutputSettings({ json, field, color, wide }: FlagValues) {
  const isColored = isColorEnabled(color, process.env, isStdoutTerminal())
  return {
    format: json === true || !isStdoutTerminal() ? ('json' as const) : ('text' as const),
    /** The paths of the fields to print unformatted; empty for the whole response. */
    fields: listFlagValues(field),
    style: createStyle(isColored),
    isColored,
    /** Whether to print all columns, complete ids and absolute times. */
    isWide: wide === true,
  }
}

/** Prints a response to stdout as data. On a terminal, also prints `note` to stderr. */
export function printJsonOrFields(
  response: object,
  flags: FlagValues,
  note: () => string | null = () => findListNote(response),
): void {
  writeToStdout(renderJsonOrFields(response, listFlagValues(flags['field'])))
  const text = isStdoutTerminal() ? note() : null
  if (text !== null) printNote(text)
}
