import { curlOf } from './curl.ts'
import { type Feed, isFailed, type Row, visibleRows } from './model.ts'
import { FIRST_UI, offeredTriggers, TABS, type TriggerChoice, type Ui } from './ui.ts'

/** A key as it was pressed: its name, or the text it types. */
export interface Press {
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

/** What a key asks for beyond the screen. */
export type Effect =
  | { readonly ask: 'quit'; readonly isInterrupt: boolean }
  | { readonly ask: 'resend'; readonly ids: readonly string[] }
  | { readonly ask: 'copy'; readonly what: string; readonly text: string }
  | { readonly ask: 'open'; readonly url: string }
  | { readonly ask: 'trigger'; readonly type: string }
  | { readonly ask: 'attempts'; readonly id: string }
  | { readonly ask: 'clear' }

/** What there is to act on. */
export interface Surroundings {
  readonly feed: Feed
  readonly triggers: readonly TriggerChoice[]
  /** How many rows fit on the screen. */
  readonly pageRows: number
}

export interface Pressed {
  readonly ui: Ui
  readonly effect: Effect | null
}

const only = (ui: Ui): Pressed => ({ ui, effect: null })

/** What a key does to the screen, and what it asks for. */
export function press(ui: Ui, pressed: Press, around: Surroundings): Pressed {
  if (pressed.key === 'interrupt') return { ui, effect: { ask: 'quit', isInterrupt: true } }
  const fresh = { ...ui, notice: null }
  if (ui.mode === 'help') return only({ ...fresh, mode: 'list' })
  if (ui.mode === 'search' || ui.mode === 'types') return typing(fresh, pressed)
  if (ui.mode === 'trigger') return choosing(fresh, pressed, around)
  return moved(fresh, pressed, around) ?? acted(fresh, pressed, around)
}

function typing(ui: Ui, { key, text }: Press): Pressed {
  if (key === 'escape') return only({ ...ui, mode: 'list', draft: '' })
  if (key === 'backspace') return only({ ...ui, draft: ui.draft.slice(0, -1) })
  if (key === 'text') return only({ ...ui, draft: ui.draft + text })
  if (key !== 'enter') return only(ui)
  const filter =
    ui.mode === 'search' ? { ...ui.filter, search: ui.draft } : { ...ui.filter, types: ui.draft.trim() }
  return only({ ...ui, mode: 'list', draft: '', selected: null, filter })
}

function choosing(ui: Ui, { key, text }: Press, { triggers }: Surroundings): Pressed {
  const offered = offeredTriggers(triggers, ui.draft)
  const move = (by: number) => Math.min(Math.max(ui.choice + by, 0), Math.max(offered.length - 1, 0))
  if (key === 'escape') return only({ ...ui, mode: 'list', draft: '' })
  if (key === 'up') return only({ ...ui, choice: move(-1) })
  if (key === 'down') return only({ ...ui, choice: move(1) })
  if (key === 'backspace') return only({ ...ui, draft: ui.draft.slice(0, -1), choice: 0 })
  if (key === 'text') return only({ ...ui, draft: ui.draft + text, choice: 0 })
  const type = offered[ui.choice]?.type
  if (key !== 'enter' || type === undefined) return only(ui)
  return {
    ui: { ...ui, mode: 'list', draft: '', notice: `Triggering ${type} …` },
    effect: { ask: 'trigger', type },
  }
}

/** The marked row: the newest unless another one was chosen that is still there. */
export function selectedRow(rows: readonly Row[], { selected }: Pick<Ui, 'selected'>): Row | null {
  return rows.find((row) => row.event.id === selected) ?? rows.at(-1) ?? null
}

const STEPS: Readonly<Record<string, number>> = { up: -1, k: -1, down: 1, j: 1 }

function moved(ui: Ui, { key, text }: Press, around: Surroundings): Pressed | null {
  const name = key === 'text' ? text : key
  const page = key === 'page-up' ? -around.pageRows : key === 'page-down' ? around.pageRows : 0
  const by = page === 0 ? (STEPS[name] ?? 0) : page
  if (ui.mode === 'detail') return movedInDetail(ui, name, by)
  const rows = visibleRows(around.feed, ui.filter)
  if (name === 'g' || name === 'home') return only({ ...ui, selected: rows[0]?.event.id ?? null })
  if (name === 'G' || name === 'end') return only({ ...ui, selected: null })
  if (by === 0) return null
  const row = selectedRow(rows, ui)
  const at = Math.max(0, (row === null ? 0 : rows.indexOf(row)) + by)
  // At the end it follows what comes.
  return only({ ...ui, selected: at >= rows.length - 1 ? null : (rows[at]?.event.id ?? null) })
}

function movedInDetail(ui: Ui, name: string, by: number): Pressed | null {
  const turn = name === 'tab' || name === 'right' ? 1 : name === 'left' ? TABS.length - 1 : 0
  const tab = TABS[(TABS.indexOf(ui.tab) + turn) % TABS.length] ?? 'payload'
  if (turn !== 0) return only({ ...ui, tab, scroll: 0 })
  if (name === 'escape' || name === 'enter') return only({ ...ui, mode: 'list', scroll: 0 })
  if (name === 'g' || name === 'home') return only({ ...ui, scroll: 0 })
  return by === 0 ? null : only({ ...ui, scroll: Math.max(0, ui.scroll + by) })
}

type Act = (ui: Ui, around: Surroundings, row: Row | null) => Pressed

const ACTS: Readonly<Record<string, Act>> = {
  q: (ui) => ({ ui, effect: { ask: 'quit', isInterrupt: false } }),
  '?': (ui) => only({ ...ui, mode: 'help' }),
  '/': (ui) => only({ ...ui, mode: 'search', draft: ui.filter.search }),
  e: (ui) => only({ ...ui, mode: 'types', draft: ui.filter.types }),
  t: (ui) => only({ ...ui, mode: 'trigger', draft: '', choice: 0 }),
  S: (ui) => only({ ...ui, isSecretShown: !ui.isSecretShown }),
  x: (ui) => ({ ui: { ...ui, mode: 'list', selected: null, notice: 'Cleared.' }, effect: { ask: 'clear' } }),
  f: (ui) => only({ ...ui, selected: null, filter: { ...ui.filter, failedOnly: !ui.filter.failedOnly } }),
  ' ': (ui, { feed }) => {
    const until = ui.filter.until === null ? feed.counts.events : null
    return only({ ...ui, filter: { ...ui.filter, until } })
  },
  r: (ui, _around, row) => (row === null ? nothing(ui) : resend(ui, [row.event.id])),
  R: (ui, { feed }) => {
    const ids = feed.rows.filter(isFailed).map(({ event }) => event.id)
    return ids.length === 0 ? only({ ...ui, notice: 'Nothing has failed.' }) : resend(ui, ids)
  },
  y: (ui, _around, row) => copy(ui, 'the id', row?.event.id ?? null),
  Y: (ui, _around, row) => copy(ui, 'the payload', row && JSON.stringify(row.event, null, 2)),
  c: (ui, _around, row) => copy(ui, 'a curl command', row && curlOf(row)),
  o: (ui, _around, row) => {
    const url = row === null ? null : pageOf(row)
    if (url === null) return only({ ...ui, notice: 'This event is about nothing that has a page.' })
    return { ui: { ...ui, notice: `Opening ${url}` }, effect: { ask: 'open', url } }
  },
}

function acted(ui: Ui, { key, text }: Press, around: Surroundings): Pressed {
  const row = selectedRow(visibleRows(around.feed, ui.filter), ui)
  if (key === 'escape') return only({ ...ui, selected: null, filter: FIRST_UI.filter })
  if (key === 'enter' && row !== null) {
    const detail = { ...ui, mode: 'detail', selected: row.event.id, scroll: 0 } as const
    return { ui: detail, effect: { ask: 'attempts', id: row.event.id } }
  }
  const act = key === 'text' && Object.hasOwn(ACTS, text) ? ACTS[text] : undefined
  return act === undefined ? only(ui) : act(ui, around, row)
}

function nothing(ui: Ui): Pressed {
  return only({ ...ui, notice: 'No event is marked.' })
}

function resend(ui: Ui, ids: readonly string[]): Pressed {
  const what = ids.length === 1 ? '1 event' : `${ids.length} events`
  return { ui: { ...ui, notice: `Sending ${what} again …` }, effect: { ask: 'resend', ids } }
}

function copy(ui: Ui, what: string, text: string | null): Pressed {
  if (text === null) return only({ ...ui, notice: `There is nothing to copy as ${what}.` })
  return { ui: { ...ui, notice: `Copied ${what}.` }, effect: { ask: 'copy', what, text } }
}

/** Where a buyer sees the object of an event, or null. */
function pageOf({ event }: Row): string | null {
  const fields = new Map<string, unknown>(Object.entries(event.data.object))
  const url = fields.get('url') ?? fields.get('hosted_invoice_url')
  return typeof url === 'string' ? url : null
}
