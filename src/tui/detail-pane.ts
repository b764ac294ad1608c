import { createDetailLines } from './detail-lines.ts'
import type { ListedEvent } from './event-feed.ts'
import { listMatchingLineIndexes } from './event-search.ts'
import type { ScreenState } from './screen-state.ts'
import {
  createSpan,
  createUntrustedSpan,
  getLineWidth,
  type Line,
  type Span,
  styleSelectedLine,
  underlineMatches,
  wrapLine,
} from './spans.ts'
import { TABS, type UiState } from './ui-state.ts'

/** A row of the detail on the screen; a long line has several rows. */
export interface DetailPaneRow {
  readonly line: Line
  /** JSON pointer of the object or array that the row folds or unfolds; undefined for other rows. */
  readonly fold: string | undefined
  /** Number of the search match that starts in this row, from 1; null for other rows. */
  readonly match: number | null
}

/** Returns all rows of the open tab of an event, including rows that do not fit on the screen. */
export function listDetailRows(
  { feed, ui, attempts, nowMs }: Pick<ScreenState, 'feed' | 'ui' | 'attempts' | 'nowMs'>,
  row: ListedEvent,
  columns: number,
): readonly DetailPaneRow[] {
  const { folded, find, tab } = ui
  const lines = createDetailLines(tab, { feed, row, attempts, folded, nowMs })
  const matches = new Map(listMatchingLineIndexes(lines, find).map((line, index) => [line, index + 1]))
  return lines.flatMap(({ spans, indent, fold }, at): DetailPaneRow[] => {
    const match = matches.get(at) ?? null
    const [first = [], ...others] = wrapLine(
      match === null ? spans : underlineMatches(spans, find),
      columns,
      indent,
    )
    return [{ line: first, fold, match }, ...others.map((line) => ({ line, fold: undefined, match: null }))]
  })
}

export interface DetailPaneOptions {
  readonly row: ListedEvent
  readonly ui: UiState
  readonly columns: number
  readonly height: number
  /** Whether the list, which shows the event type, is beside the detail. */
  readonly isSplit: boolean
}

/** Returns the line with the tabs, and the rows that fit, including the selected row when the detail has the focus. */
export function renderDetailPane(rows: readonly DetailPaneRow[], options: DetailPaneOptions): Line[] {
  const { ui, columns, height } = options
  const isFocused = ui.mode === 'detail' || ui.mode === 'find'
  const cursor = isFocused ? Math.min(ui.cursor, rows.length - 1) : 0
  const visible = Math.max(1, height - 1)
  const end = Math.min(rows.length, Math.max(visible, cursor + Math.ceil(visible / 2)))
  const first = Math.max(0, end - visible)
  const shown = rows
    .slice(first, end)
    .map(({ line }, index) =>
      isFocused && first + index === cursor ? styleSelectedLine(line, columns) : line,
    )
  return [tabLine(rows, cursor, options), ...shown]
}

function tabLine(rows: readonly DetailPaneRow[], cursor: number, options: DetailPaneOptions): Line {
  const { row, ui, columns, height, isSplit } = options
  const tabs = TABS.flatMap((name, index) => [
    createSpan(index === 0 ? '' : ' '),
    createSpan(name, name === ui.tab ? { isInverse: true } : { isDim: true }),
  ])
  const found = searchStatus(rows, cursor, ui.find)
  const lines =
    rows.length < height ? [] : [createSpan(`  line ${cursor + 1}/${rows.length}`, { isDim: true })]
  const type = createUntrustedSpan(`${row.event.type}  `, { isBold: true })
  const openTab = createSpan(ui.tab, { isInverse: true })
  const candidates = [
    [type, ...tabs, ...found, ...lines],
    ...(isSplit
      ? []
      : [
          [type, ...tabs, ...found],
          [type, openTab, ...found],
        ]),
    [...tabs, ...found, ...lines],
    [...tabs, ...found],
    [openTab, ...found],
  ]
  return candidates.find((line) => getLineWidth(line) <= columns) ?? tabs
}

/** Returns the search with the number of the last match up to the selected row, such as `/ada 3/58`. */
function searchStatus(rows: readonly DetailPaneRow[], cursor: number, find: string): Span[] {
  if (find === '') return []
  const matches = rows.flatMap(({ match }, at) => (match === null ? [] : [at]))
  const current = matches.filter((at) => at <= cursor).length
  return [createUntrustedSpan(`  /${find} ${current}/${matches.length}`, { color: 'cyan' })]
}

/** Returns the row of the next (1) or previous (-1) match around the cursor, wrapping at the ends; null without matches. */
export function findNextMatch(
  rows: readonly DetailPaneRow[],
  cursor: number,
  direction: 1 | -1,
): number | null {
  const matches = rows.flatMap(({ match }, at) => (match === null ? [] : [at]))
  const next = direction === 1 ? matches.find((at) => at > cursor) : matches.findLast((at) => at < cursor)
  return next ?? matches.at(direction === 1 ? 0 : -1) ?? null
}
