import { findNextMatch } from './detail-pane.ts'
import type { ListedEvent } from './event-feed.ts'
import { listNestedPointers } from './json-lines.ts'
import { getCursorStep, type KeyContext, type KeyPress, type KeyResult } from './keys.ts'
import { TABS, type UiState } from './ui-state.ts'

const TURNS: Readonly<Record<string, number>> = { tab: 1, rightArrow: 1, leftArrow: TABS.length - 1 }
/** The objects that stay unfolded, because the differences between events are inside them. */
const OUTER_POINTERS: ReadonlySet<string> = new Set(['/data', '/data/object'])

/** Returns the changes for a key pressed in the detail, or null for any other key. */
export function findDetailKeyResult(
  ui: UiState,
  key: KeyPress,
  { row, context }: { readonly row: ListedEvent; readonly context: KeyContext },
): KeyResult | null {
  const turn = TURNS[key] ?? 0
  if (turn !== 0) {
    const tab = TABS[(TABS.indexOf(ui.tab) + turn) % TABS.length] ?? 'payload'
    return { ui: { tab, cursor: 0 } }
  }
  // In the split view, the following keys move in the list until the detail has the focus.
  if (ui.mode !== 'detail') return null
  switch (key) {
    case 'escape':
      return { ui: { mode: 'list', cursor: 0 } }
    case '/':
      return { ui: { mode: 'find', draft: '' } }
    case 'z':
      return { ui: { folded: foldAll(ui, row), cursor: 0 } }
    default:
      return moveCursor(ui, key, { row, context })
  }
}

function foldAll({ folded }: UiState, { event }: ListedEvent): ReadonlySet<string> {
  return folded.size > 0 ? new Set() : new Set(listNestedPointers(event, OUTER_POINTERS))
}

function moveCursor(
  ui: UiState,
  key: KeyPress,
  { row, context }: { readonly row: ListedEvent; readonly context: KeyContext },
): KeyResult | null {
  const rows = context.listDetailRows(row, ui)
  const last = rows.length - 1
  const cursor = Math.min(ui.cursor, last)
  if (key === 'return') return { ui: { folded: toggle(ui.folded, rows[cursor]?.fold), cursor } }
  if (key === 'n' || key === 'N') {
    const match = findNextMatch(rows, cursor, key === 'n' ? 1 : -1)
    return { ui: match === null ? { notice: 'No match. Press / to search.' } : { cursor: match } }
  }
  if (key === 'g' || key === 'home') return { ui: { cursor: 0 } }
  if (key === 'G' || key === 'end') return { ui: { cursor: last } }
  const by = getCursorStep(key, context)
  return by === 0 ? null : { ui: { cursor: Math.min(Math.max(0, cursor + by), last) } }
}

function toggle(folded: ReadonlySet<string>, pointer: string | undefined): ReadonlySet<string> {
  if (pointer === undefined) return folded
  return new Set(folded.has(pointer) ? [...folded].filter((one) => one !== pointer) : [...folded, pointer])
}
