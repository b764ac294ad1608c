import { formatCurl } from './curl.ts'
import { type EventFeed, type EventRow, hasFailed, visibleRows } from './event-feed.ts'
import { filterTriggers, INITIAL_UI, TABS, type TriggerChoice, type UiState } from './ui-state.ts'

/** A pressed key: its name, or the typed text. */
export interface KeyPress {
  readonly key:
    | 'up'
    | 'down'
    | 'left'
    | 'right'
    | 'page-up'
    | 'page-down'
    | 'home'
    | 'end'
    | 'enter'
    | 'escape'
    | 'tab'
    | 'backspace'
    | 'interrupt'
    | 'text'
  readonly text: string
}

/** An action of a key beyond the state of the screen. */
export type ScreenEffect =
  | { readonly kind: 'quit'; readonly isInterrupt: boolean }
  | { readonly kind: 'resend'; readonly ids: readonly string[] }
  | { readonly kind: 'copy'; readonly text: string }
  | { readonly kind: 'open'; readonly url: string }
  | { readonly kind: 'trigger'; readonly type: string }
  | { readonly kind: 'attempts'; readonly id: string }
  | { readonly kind: 'clear' }

/** The data that keys act on. */
export interface KeyContext {
  readonly feed: EventFeed
  readonly triggers: readonly TriggerChoice[]
  /** Number of rows that fit on the screen. */
  readonly pageRows: number
}

/** The next state of the screen, and the action to run. */
export interface KeyResult {
  readonly ui: UiState
  readonly effect: ScreenEffect | null
}

const withoutEffect = (ui: UiState): KeyResult => ({ ui, effect: null })

/** Returns the state after a key press, and the action to run. */
export function handleKey(ui: UiState, pressed: KeyPress, context: KeyContext): KeyResult {
  if (pressed.key === 'interrupt') return { ui, effect: { kind: 'quit', isInterrupt: true } }
  const fresh = { ...ui, notice: null }
  if (ui.mode === 'help') return withoutEffect({ ...fresh, mode: 'list' })
  if (ui.mode === 'search' || ui.mode === 'types') return handleFilterKey(fresh, pressed)
  if (ui.mode === 'trigger') return handleTriggerKey(fresh, pressed, context)
  return moveSelection(fresh, pressed, context) ?? runAction(fresh, pressed, context)
}

function handleFilterKey(ui: UiState, { key, text }: KeyPress): KeyResult {
  if (key === 'escape') return withoutEffect({ ...ui, mode: 'list', draft: '' })
  if (key === 'backspace') return withoutEffect({ ...ui, draft: ui.draft.slice(0, -1) })
  if (key === 'text') return withoutEffect({ ...ui, draft: ui.draft + text })
  if (key !== 'enter') return withoutEffect(ui)
  const filter =
    ui.mode === 'search' ? { ...ui.filter, search: ui.draft } : { ...ui.filter, types: ui.draft.trim() }
  return withoutEffect({ ...ui, mode: 'list', draft: '', selected: null, filter })
}

function handleTriggerKey(ui: UiState, { key, text }: KeyPress, { triggers }: KeyContext): KeyResult {
  const offered = filterTriggers(triggers, ui.draft)
  const move = (by: number) => Math.min(Math.max(ui.choice + by, 0), Math.max(offered.length - 1, 0))
  if (key === 'escape') return withoutEffect({ ...ui, mode: 'list', draft: '' })
  if (key === 'up') return withoutEffect({ ...ui, choice: move(-1) })
  if (key === 'down') return withoutEffect({ ...ui, choice: move(1) })
  if (key === 'backspace') return withoutEffect({ ...ui, draft: ui.draft.slice(0, -1), choice: 0 })
  if (key === 'text') return withoutEffect({ ...ui, draft: ui.draft + text, choice: 0 })
  const type = offered[ui.choice]?.type
  if (key !== 'enter' || type === undefined) return withoutEffect(ui)
  return {
    ui: { ...ui, mode: 'list', draft: '', notice: `Triggering ${type} …` },
    effect: { kind: 'trigger', type },
  }
}

/** Returns the selected row, or the newest row when the selected one is not in the list. */
export function selectedRow(
  rows: readonly EventRow[],
  { selected }: Pick<UiState, 'selected'>,
): EventRow | null {
  return rows.find((row) => row.event.id === selected) ?? rows.at(-1) ?? null
}

const STEPS: Readonly<Record<string, number>> = { up: -1, k: -1, down: 1, j: 1 }

function moveSelection(ui: UiState, { key, text }: KeyPress, context: KeyContext): KeyResult | null {
  const name = key === 'text' ? text : key
  const page = key === 'page-up' ? -context.pageRows : key === 'page-down' ? context.pageRows : 0
  const by = page === 0 ? (STEPS[name] ?? 0) : page
  if (ui.mode === 'detail') return moveInDetail(ui, name, by)
  const rows = visibleRows(context.feed, ui.filter)
  if (name === 'g' || name === 'home') return withoutEffect({ ...ui, selected: rows[0]?.event.id ?? null })
  if (name === 'G' || name === 'end') return withoutEffect({ ...ui, selected: null })
  if (by === 0) return null
  const row = selectedRow(rows, ui)
  const at = Math.max(0, (row === null ? 0 : rows.indexOf(row)) + by)
  // At the end, the selection follows new events.
  return withoutEffect({ ...ui, selected: at >= rows.length - 1 ? null : (rows[at]?.event.id ?? null) })
}

function moveInDetail(ui: UiState, name: string, by: number): KeyResult | null {
  const turn = name === 'tab' || name === 'right' ? 1 : name === 'left' ? TABS.length - 1 : 0
  const tab = TABS[(TABS.indexOf(ui.tab) + turn) % TABS.length] ?? 'payload'
  if (turn !== 0) return withoutEffect({ ...ui, tab, scroll: 0 })
  if (name === 'escape' || name === 'enter') return withoutEffect({ ...ui, mode: 'list', scroll: 0 })
  if (name === 'g' || name === 'home') return withoutEffect({ ...ui, scroll: 0 })
  return by === 0 ? null : withoutEffect({ ...ui, scroll: Math.max(0, ui.scroll + by) })
}

type KeyAction = (ui: UiState, context: KeyContext, row: EventRow | null) => KeyResult

const ACTIONS: Readonly<Record<string, KeyAction>> = {
  q: (ui) => ({ ui, effect: { kind: 'quit', isInterrupt: false } }),
  '?': (ui) => withoutEffect({ ...ui, mode: 'help' }),
  '/': (ui) => withoutEffect({ ...ui, mode: 'search', draft: ui.filter.search }),
  e: (ui) => withoutEffect({ ...ui, mode: 'types', draft: ui.filter.types }),
  t: (ui) => withoutEffect({ ...ui, mode: 'trigger', draft: '', choice: 0 }),
  S: (ui) => withoutEffect({ ...ui, isSecretShown: !ui.isSecretShown }),
  x: (ui) => ({ ui: { ...ui, mode: 'list', selected: null, notice: 'Cleared.' }, effect: { kind: 'clear' } }),
  f: (ui) =>
    withoutEffect({ ...ui, selected: null, filter: { ...ui.filter, failedOnly: !ui.filter.failedOnly } }),
  ' ': (ui, { feed }) => {
    const until = ui.filter.until === null ? feed.counts.events : null
    return withoutEffect({ ...ui, filter: { ...ui.filter, until } })
  },
  r: (ui, _context, row) =>
    row === null ? withoutEffect({ ...ui, notice: 'No event is selected.' }) : resend(ui, [row.event.id]),
  R: (ui, { feed }) => {
    const ids = feed.rows.filter(hasFailed).map(({ event }) => event.id)
    return ids.length === 0 ? withoutEffect({ ...ui, notice: 'No event has failed.' }) : resend(ui, ids)
  },
  y: (ui, _context, row) => copy(ui, 'the id', row?.event.id ?? null),
  Y: (ui, _context, row) => copy(ui, 'the payload', row && JSON.stringify(row.event, null, 2)),
  c: (ui, _context, row) => copy(ui, 'a curl command', row && formatCurl(row)),
  o: (ui, _context, row) => {
    const url = row === null ? null : findPageUrl(row)
    if (url === null) return withoutEffect({ ...ui, notice: 'The object of this event has no page.' })
    return { ui: { ...ui, notice: `Opening ${url}` }, effect: { kind: 'open', url } }
  },
}

function runAction(ui: UiState, { key, text }: KeyPress, context: KeyContext): KeyResult {
  const row = selectedRow(visibleRows(context.feed, ui.filter), ui)
  if (key === 'escape') return withoutEffect({ ...ui, selected: null, filter: INITIAL_UI.filter })
  if (key === 'enter' && row !== null) {
    const detail = { ...ui, mode: 'detail', selected: row.event.id, scroll: 0 } as const
    return { ui: detail, effect: { kind: 'attempts', id: row.event.id } }
  }
  const action = key === 'text' && Object.hasOwn(ACTIONS, text) ? ACTIONS[text] : undefined
  return action === undefined ? withoutEffect(ui) : action(ui, context, row)
}

function resend(ui: UiState, ids: readonly string[]): KeyResult {
  const what = ids.length === 1 ? '1 event' : `${ids.length} events`
  return { ui: { ...ui, notice: `Resending ${what} …` }, effect: { kind: 'resend', ids } }
}

function copy(ui: UiState, what: string, text: string | null): KeyResult {
  if (text === null) return withoutEffect({ ...ui, notice: `Cannot copy ${what}: there is none.` })
  return { ui: { ...ui, notice: `Copied ${what}.` }, effect: { kind: 'copy', text } }
}

function findPageUrl({ event }: EventRow): string | null {
  const fields = new Map<string, unknown>(Object.entries(event.data.object))
  const url = fields.get('url') ?? fields.get('hosted_invoice_url')
  return typeof url === 'string' ? url : null
}
