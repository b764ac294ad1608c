import { listDetailRows, renderDetailPane } from './detail-pane.ts'
import type { ListedEvent } from './event-feed.ts'
import { renderFooterLines } from './footer.ts'
import { renderScreenHeader } from './header.ts'
import { renderHelpLines } from './help.ts'
import { renderVisibleRows } from './list-lines.ts'
import {
  computePaneWidths,
  HEADER_ROWS,
  PANE_SEPARATOR,
  type ScreenSize,
  type ScreenState,
} from './screen-state.ts'
import { createSpan, cutLine, fitColumn, fitLine, type Line } from './spans.ts'
import { filterTriggers, getSelectedRow, listVisibleRows, type TriggerChoice } from './ui-state.ts'

/** Returns a line for each row of the terminal, cut to the columns of the terminal. */
export function renderFrame(state: ScreenState, size: ScreenSize): Line[] {
  const footer = renderFooterLines(state, size)
  const height = Math.max(1, size.rows - HEADER_ROWS - footer.length)
  const body = bodyLines(state, size, height).slice(0, height)
  const filler = Array.from({ length: height - body.length }, (): Line => [])
  return [...renderScreenHeader(state, size), ...body, ...filler, ...footer].slice(0, size.rows)
}

function bodyLines(state: ScreenState, size: ScreenSize, height: number): readonly Line[] {
  const { feed, ui, triggers } = state
  const cut = (lines: readonly Line[]) => lines.map((line) => cutLine(line, size.columns))
  if (ui.mode === 'help') return cut(renderHelpLines(ui.helpScroll, height))
  if (ui.mode === 'trigger') return cut(triggerLines(filterTriggers(triggers, ui.draft), ui.choice, height))
  const rows = listVisibleRows(feed, ui)
  const selected = getSelectedRow(rows, ui)
  if (selected === null) return cut(emptyLines(feed.rows.length > 0))
  const panes = computePaneWidths(size)
  if (panes.isSplit) return joinPanes(listPane(), detail(selected), panes.list, height)
  return cut(ui.mode === 'detail' || ui.mode === 'find' ? detail(selected) : listPane())

  function listPane(): Line[] {
    return renderVisibleRows({ ...state, rows, selected, columns: panes.list, height })
  }

  function detail(row: ListedEvent): Line[] {
    return renderDetailPane(listDetailRows(state, row, panes.detail), {
      row,
      ui,
      columns: panes.detail,
      height,
      isSplit: panes.isSplit,
    }).map((line) => cutLine(line, panes.detail))
  }
}

function joinPanes(
  left: readonly Line[],
  right: readonly Line[],
  leftColumns: number,
  height: number,
): Line[] {
  return Array.from({ length: height }, (_, at) => [
    ...fitLine(left[at] ?? [], leftColumns),
    createSpan(PANE_SEPARATOR, { isDim: true }),
    ...(right[at] ?? []),
  ])
}

const EMPTY_LIST: readonly string[] = ['No events yet.', '', 't   trigger an event', '?   show all keys']

function emptyLines(isFiltered: boolean): Line[] {
  if (isFiltered) return [[createSpan('  No events match the filter. Esc clears it.', { isDim: true })]]
  return EMPTY_LIST.map((text) => [createSpan(`  ${text}`, { isDim: true })])
}

function triggerLines(offered: readonly TriggerChoice[], choice: number, height: number): Line[] {
  const first = Math.max(0, choice - height + 1)
  if (offered.length === 0) return [[createSpan('  No event type matches.', { isDim: true })]]
  return offered.slice(first, first + height).map(({ type, how }, index) => {
    const isSelected = first + index === choice
    return [
      createSpan(fitColumn(`${isSelected ? '› ' : '  '}${type}`, 36), { isInverse: isSelected }),
      createSpan(how, { isDim: true }),
    ]
  })
}
