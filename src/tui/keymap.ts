import { formatCurl } from './curl.ts'
import { type EventFeed, type EventRow, hasFailed, visibleRows } from './event-feed.ts'
import { filterTriggers, INITIAL_UI, TABS, type TriggerChoice, type UiState } from './ui-state.ts'

/** A pressed key: Ink's name of a key, such as `pageUp`, `interrupt` for ^C, or a typed character. */
export type KeyPress = string

/** The actions of keys beyond the state of the screen. */
export interface KeyEffects {
  readonly quit: (isInterrupt: boolean) => void
  readonly resend: (ids: readonly string[]) => Promise<void>
  readonly copy: (text: string) => Promise<void>
  readonly open: (url: string) => Promise<void>
  readonly trigger: (type: string) => Promise<void>
  /** Reads the delivery attempts of an event from the server. */
  readonly loadAttempts: (event: string) => Promise<void>
  readonly clear: () => void
}

/** The data that keys act on. */
export interface KeyContext {
  readonly feed: EventFeed
  readonly triggers: readonly TriggerChoice[]
  /** Number of rows that fit on the screen. */
  readonly pageRows: number
}

/** The changes to the screen after a key press, and the effect to run. */
export interface KeyResult {
  readonly ui?: Partial<UiState>
  readonly effect?: (effects: KeyEffects) => Promise<void> | void
}

/** Returns the changes that a key press causes. */
export function handleKey(ui: UiState, key: KeyPress, context: KeyContext): KeyResult {
  if (key === 'interrupt') return { effect: ({ quit }) => quit(true) }
  if (ui.mode === 'help') return { ui: { mode: 'list' } }
  if (ui.mode === 'search' || ui.mode === 'types') return handleFilterKey(ui, key)
  if (ui.mode === 'trigger') return handleTriggerKey(ui, key, context)
  return moveSelection(ui, key, context) ?? runAction(ui, key, context)
}

/** Returns the changes for a key that edits the typed text, or null for any other key. */
function editDraft({ draft }: UiState, key: KeyPress): Partial<UiState> | null {
  if (key === 'escape') return { mode: 'list', draft: '' }
  if (key === 'backspace' || key === 'delete') return { draft: draft.slice(0, -1), choice: 0 }
  return isCharacter(key) ? { draft: draft + key, choice: 0 } : null
}

// A character outside the basic plane has two code units.
function isCharacter(key: KeyPress): boolean {
  return Array.from(key).length === 1
}

function handleFilterKey(ui: UiState, key: KeyPress): KeyResult {
  const edited = editDraft(ui, key)
  if (edited !== null) return { ui: edited }
  if (key !== 'return') return {}
  const filter = ui.mode === 'search' ? { search: ui.draft } : { types: ui.draft.trim() }
  return { ui: { mode: 'list', draft: '', selected: null, filter: { ...ui.filter, ...filter } } }
}

function handleTriggerKey(ui: UiState, key: KeyPress, { triggers }: KeyContext): KeyResult {
  const edited = editDraft(ui, key)
  if (edited !== null) return { ui: edited }
  const offered = filterTriggers(triggers, ui.draft)
  const last = Math.max(offered.length - 1, 0)
  if (key === 'upArrow') return { ui: { choice: Math.max(ui.choice - 1, 0) } }
  if (key === 'downArrow') return { ui: { choice: Math.min(ui.choice + 1, last) } }
  const type = offered[ui.choice]?.type
  if (key !== 'return' || type === undefined) return {}
  return {
    ui: { mode: 'list', draft: '', notice: `Triggering ${type} …` },
    effect: ({ trigger }) => trigger(type),
  }
}

/** Returns the selected row, or the newest row when the selected one is not in the list. */
export function selectedRow(
  rows: readonly EventRow[],
  { selected }: Pick<UiState, 'selected'>,
): EventRow | null {
  return rows.find((row) => row.event.id === selected) ?? rows.at(-1) ?? null
}

const STEPS: Readonly<Record<string, number>> = { upArrow: -1, k: -1, downArrow: 1, j: 1 }

function moveSelection(ui: UiState, key: KeyPress, context: KeyContext): KeyResult | null {
  const page = key === 'pageUp' ? -context.pageRows : key === 'pageDown' ? context.pageRows : 0
  const by = page === 0 ? (STEPS[key] ?? 0) : page
  if (ui.mode === 'detail') return moveInDetail(ui, key, by)
  const rows = visibleRows(context.feed, ui.filter)
  if (key === 'g' || key === 'home') return { ui: { selected: rows[0]?.event.id ?? null } }
  if (key === 'G' || key === 'end') return { ui: { selected: null } }
  if (by === 0) return null
  const row = selectedRow(rows, ui)
  const at = Math.max(0, (row === null ? 0 : rows.indexOf(row)) + by)
  // At the end, the selection follows new events.
  return { ui: { selected: at >= rows.length - 1 ? null : (rows[at]?.event.id ?? null) } }
}

function moveInDetail(ui: UiState, key: KeyPress, by: number): KeyResult | null {
  const turn = key === 'tab' || key === 'rightArrow' ? 1 : key === 'leftArrow' ? TABS.length - 1 : 0
  const tab = TABS[(TABS.indexOf(ui.tab) + turn) % TABS.length] ?? 'payload'
  if (turn !== 0) return { ui: { tab, scroll: 0 } }
  if (key === 'escape' || key === 'return') return { ui: { mode: 'list', scroll: 0 } }
  if (key === 'g' || key === 'home') return { ui: { scroll: 0 } }
  return by === 0 ? null : { ui: { scroll: Math.max(0, ui.scroll + by) } }
}

type KeyAction = (ui: UiState, context: KeyContext, row: EventRow | null) => KeyResult

const ACTIONS: Readonly<Record<string, KeyAction>> = {
  q: () => ({ effect: ({ quit }) => quit(false) }),
  '?': () => ({ ui: { mode: 'help' } }),
  '/': ({ filter }) => ({ ui: { mode: 'search', draft: filter.search } }),
  e: ({ filter }) => ({ ui: { mode: 'types', draft: filter.types } }),
  t: () => ({ ui: { mode: 'trigger', draft: '', choice: 0 } }),
  S: ({ isSecretShown }) => ({ ui: { isSecretShown: !isSecretShown } }),
  x: () => ({
    ui: { mode: 'list', selected: null, notice: 'Cleared.' },
    effect: ({ clear }) => clear(),
  }),
  f: ({ filter }) => ({ ui: { selected: null, filter: { ...filter, failedOnly: !filter.failedOnly } } }),
  ' ': ({ filter }, { feed }) => ({
    ui: { filter: { ...filter, until: filter.until === null ? feed.counts.events : null } },
  }),
  r: (_ui, _context, row) => (row === null ? notice('No event is selected.') : resend([row.event.id])),
  R: (_ui, { feed }) => {
    const ids = feed.rows.filter(hasFailed).map(({ event }) => event.id)
    return ids.length === 0 ? notice('No event has failed.') : resend(ids)
  },
  y: (_ui, _context, row) => copy('the id', row?.event.id ?? null),
  Y: (_ui, _context, row) => copy('the payload', row && JSON.stringify(row.event, null, 2)),
  c: (_ui, _context, row) => copy('a curl command', row && formatCurl(row)),
  o: (_ui, _context, row) => {
    const url = row === null ? null : findPageUrl(row)
    if (url === null) return notice('The object of this event has no page.')
    return { ...notice(`Opening ${url}`), effect: ({ open }) => open(url) }
  },
}

function runAction(ui: UiState, key: KeyPress, context: KeyContext): KeyResult {
  const row = selectedRow(visibleRows(context.feed, ui.filter), ui)
  if (key === 'escape') return { ui: { selected: null, filter: INITIAL_UI.filter } }
  if (key === 'return' && row !== null) {
    const { id } = row.event
    return {
      ui: { mode: 'detail', selected: id, scroll: 0 },
      effect: ({ loadAttempts }) => loadAttempts(id),
    }
  }
  const action = Object.hasOwn(ACTIONS, key) ? ACTIONS[key] : undefined
  return action?.(ui, context, row) ?? {}
}

function notice(text: string): KeyResult {
  return { ui: { notice: text } }
}

function resend(ids: readonly string[]): KeyResult {
  const what = ids.length === 1 ? '1 event' : `${ids.length} events`
  return { ...notice(`Resending ${what} …`), effect: (effects) => effects.resend(ids) }
}

function copy(what: string, text: string | null): KeyResult {
  if (text === null) return notice(`Cannot copy ${what}: there is none.`)
  return { ...notice(`Copied ${what}.`), effect: (effects) => effects.copy(text) }
}

function findPageUrl({ event }: EventRow): string | null {
  const fields = new Map<string, unknown>(Object.entries(event.data.object))
  const url = fields.get('url') ?? fields.get('hosted_invoice_url')
  return typeof url === 'string' ? url : null
}
