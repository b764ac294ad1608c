import { isJsonObject } from '../../client/json-object.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import { quoteForShell } from '../errors/shell-quote.ts'
import { areHyperlinksSupported, createHyperlink } from '../output/hyperlink.ts'
import { toListResponse } from '../output/list-response.ts'
import { printData, printNote, terminalWidth } from '../output/output.ts'
import { noteFor, type OutputForm } from '../output/render-response.ts'
import { formatObject } from './headline-view.ts'
import { formatList } from './list-view.ts'
import { nextStepOf } from './next-step.ts'
import { renderObject } from './object-view.ts'
import { wrapNote } from './text-layout.ts'
import type { View, ViewOptions } from './view-options.ts'

const WIDE_NOTE = 'For all columns, full ids and times: --wide'

/** A line with a command that the user can copy. */
const NEXT_COMMAND = /^(?:Next:)? *paycli .*$/gm

/** Creates the view options for stdout; `now` is the server time in Unix seconds. */
export function createViewOptions(
  { style, isColored, isWide }: OutputForm,
  { now, sandbox }: Pick<ViewOptions, 'now' | 'sandbox'>,
): ViewOptions {
  const link = createHyperlink(areHyperlinksSupported(process.env, isColored))
  return { style, link, isWide, width: terminalWidth(), now, sandbox, names: new Map() }
}

/** Formats a response for a terminal. */
export function formatResponse(response: object, view: ViewOptions): View {
  const page = toListResponse(response)
  if (page !== null) return formatList(page.data, view)
  if (isJsonObject(response) && !view.isWide) return formatObject(response, view)
  return { text: renderObject(response, view.style), isWhole: true }
}

/** Returns the note of a response without its own: further pages, or the next command. */
export function defaultNoteOf(response: object): string | null {
  return noteFor(response) ?? nextStepOf(response)
}

/** Prints a response to a terminal, with its note. */
export function printText(response: object, options: ViewOptions, note: () => string | null): void {
  printView(formatResponse(response, options), options, note)
}

/** Prints a view or a text to a terminal, then a note. Mentions --wide when the view omits values. */
export function printView(
  view: View | string,
  { width, sandbox }: ViewOptions,
  note: () => string | null = () => null,
): void {
  const { text: shown, isWhole } = typeof view === 'string' ? { text: view, isWhole: true } : view
  printData(shown)
  for (const text of [inSandbox(note(), sandbox), isWhole ? null : WIDE_NOTE]) {
    if (text !== null) printNote(wrapNote(sanitizeText(text), width))
  }
}

/** Adds the sandbox to the commands in a note, because they name objects of that sandbox. */
function inSandbox(note: string | null, sandbox: string | null): string | null {
  if (note === null || sandbox === null) return note
  return note.replace(NEXT_COMMAND, (command) => `${command} --sandbox ${quoteForShell(sandbox)}`)
}
