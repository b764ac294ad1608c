import { isJsonObject } from '../../domain/core/json-object.ts'
import { createHyperlinkFormatter, hasHyperlinkSupport } from '../output/hyperlink.ts'
import { parseListResponse } from '../output/list-response.ts'
import { getStdoutWidth, printNote, writeToStdout } from '../output/output.ts'
import { findListNote, type OutputSettings } from '../output/render-response.ts'
import { addSandboxFlag } from '../output/sandbox-flag.ts'
import { formatGroupedObject } from './grouped-object-view.ts'
import { formatList } from './list-view.ts'
import { findNextStepNote } from './next-step.ts'
import { formatPathValueLines } from './object-paths-view.ts'
import type { RenderedText, ViewOptions } from './view-options.ts'

const WIDE_NOTE = 'For all columns, full ids and times: --wide'

/** Creates the view options for stdout; `now` is the server time in Unix seconds. */
export function createViewOptions(
  { style, isColored, isWide }: OutputSettings,
  { now, sandbox }: Pick<ViewOptions, 'now' | 'sandbox'>,
): ViewOptions {
  const link = createHyperlinkFormatter(hasHyperlinkSupport(process.env, isColored))
  return { style, link, isWide, width: getStdoutWidth(), now, sandbox, names: new Map() }
}

/** Formats a response for a terminal. */
export function formatResponse(response: object, view: ViewOptions): RenderedText {
  const page = parseListResponse(response)
  if (page !== null) return formatList(page.data, view)
  if (isJsonObject(response) && !view.isWide) return formatGroupedObject(response, view)
  return { text: formatPathValueLines(response, view.style), isWhole: true }
}

/** Prints a response to a terminal, with its note (default: further pages, or the next command). */
export function printResponseText(response: object, options: ViewOptions, note?: () => string | null): void {
  printView(
    formatResponse(response, options),
    options,
    note ?? (() => findListNote(response) ?? findNextStepNote(response)),
  )
}

/** Prints a view or a string to a terminal, then a note. Mentions --wide when the view omits values. */
export function printView(
  view: RenderedText | string,
  { sandbox }: ViewOptions,
  note: () => string | null = () => null,
): void {
  const { text: shown, isWhole } = typeof view === 'string' ? { text: view, isWhole: true } : view
  writeToStdout(shown)
  const ownNote = note()
  const next = ownNote === null ? null : addSandboxFlag(ownNote, sandbox)
  for (const text of [next, isWhole ? null : WIDE_NOTE]) {
    if (text !== null) printNote(text)
  }
}
