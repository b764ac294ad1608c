import { quoteForShell } from '../domain/text/shell-quote.ts'
import { findPageUrl } from '../presentation/field-values.ts'
import { findDetailKeyResult } from './detail-keys.ts'
import { hasFailedDelivery, type ListedEvent } from './event-feed.ts'
import { GROUPINGS } from './grouping.ts'
import { getMaxHelpScroll } from './help.ts'
import { getCursorStep, type KeyContext, type KeyPress, type KeyResult, type KeyTarget } from './keys.ts'
import { filterTriggers, getSelectedRow, INITIAL_UI, listVisibleRows, type UiState } from './ui-state.ts'

/** Returns the changes that a key press causes. */
export function getKeyResult(ui: UiState, key: KeyPress, context: KeyContext): KeyResult {
  if (key === 'interrupt') return { effect: ({ quit }) => quit(true) }
  const row = getSelectedRow(listVisibleRows(context.feed, ui), ui)
  switch (ui.mode) {
    case 'help':
      return { ui: scrollHelp(ui, key, context) }
    case 'search':
    case 'types':
    case 'find':
      return handlePromptKey(ui, key, { row, context })
    case 'trigger':
      return handleTriggerKey(ui, key, context)
    case 'detail':
      return (row && findDetailKeyResult(ui, key, { row, context })) ?? runAction(ui, key, { row, context })
    default:
      return moveSelection(ui, key, context) ?? runAction(ui, key, { row, context })
  }
}

function scrollHelp({ helpScroll }: UiState, key: KeyPress, context: KeyContext): Partial<UiState> {
  const by = getCursorStep(key, context)
  if (by === 0) return { mode: 'list', helpScroll: 0 }
  return { helpScroll: Math.min(Math.max(0, helpScroll + by), getMaxHelpScroll(context.pageRows)) }
}

/** Returns the changes for a key that edits the typed text, or null for any other key. */
function editDraft({ draft, mode }: UiState, key: KeyPress): Partial<UiState> | null {
  if (key === 'escape') return { mode: mode === 'find' ? 'detail' : 'list', draft: '' }
  if (key === 'backspace' || key === 'delete') {
    return { draft: Array.from(draft).slice(0, -1).join(''), choice: 0 }
  }
  // A character outside the Basic Multilingual Plane has two code units.
  return Array.from(key).length === 1 ? { draft: draft + key, choice: 0 } : null
}

function handlePromptKey(ui: UiState, key: KeyPress, target: KeyTarget): KeyResult {
  const edited = editDraft(ui, key)
  if (edited !== null) return { ui: edited }
  if (key !== 'return') return {}
  if (ui.mode === 'find') return { ui: applyFind(ui, target) }
  const filter = ui.mode === 'search' ? { search: ui.draft } : { types: ui.draft.trim() }
  const find = ui.mode === 'search' ? { find: ui.draft } : {}
  const applied = { ...ui.filter, ...filter }
  return { ui: { mode: 'list', draft: '', selected: null, cursor: 0, filter: applied, ...find } }
}

/** Unfolds the payload, because a match may be inside a folded object, and moves to the first match. */
function applyFind(ui: UiState, { row, context }: KeyTarget): Partial<UiState> {
  const found: Partial<UiState> = { mode: 'detail', draft: '', find: ui.draft, folded: new Set() }
  const rows = row === null ? [] : context.listDetailRows(row, { ...ui, ...found })
  const first = rows.findIndex(({ match }) => match !== null)
  if (ui.draft === '' || first !== -1) return { ...found, cursor: Math.max(0, first) }
  return { ...found, notice: `No value here contains '${ui.draft}'.` }
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

function moveSelection(ui: UiState, key: KeyPress, context: KeyContext): KeyResult | null {
  const rows = listVisibleRows(context.feed, ui)
  if (key === 'g' || key === 'home') return { ui: { selected: rows[0]?.event.id ?? null, cursor: 0 } }
  if (key === 'G' || key === 'end') return { ui: { selected: null, cursor: 0 } }
  const by = getCursorStep(key, context)
  if (by === 0) return null
  const row = getSelectedRow(rows, ui)
  const at = Math.max(0, (row === null ? 0 : rows.indexOf(row)) + by)
  // At the end of the list, the selection follows new events.
  return { ui: { selected: at >= rows.length - 1 ? null : (rows[at]?.event.id ?? null), cursor: 0 } }
}

type KeyAction = (ui: UiState, target: KeyTarget) => KeyResult

const ACTIONS: Readonly<Record<string, KeyAction>> = {
  q: () => ({ effect: ({ quit }) => quit(false) }),
  '?': () => ({ ui: { mode: 'help', helpScroll: 0 } }),
  '/': () => ({ ui: { mode: 'search', draft: '' } }),
  b: ({ grouping }) => {
    const next = GROUPINGS[(GROUPINGS.indexOf(grouping) + 1) % GROUPINGS.length] ?? 'none'
    return { ui: { grouping: next, notice: next === 'none' ? 'Not grouped.' : `Grouped by ${next}.` } }
  },
  e: ({ filter }) => ({ ui: { mode: 'types', draft: filter.types } }),
  t: () => ({ ui: { mode: 'trigger', draft: '', choice: 0 } }),
  S: ({ isSecretShown }) => ({ ui: { isSecretShown: !isSecretShown } }),
  x: () => ({
    ui: { mode: 'list', selected: null, cursor: 0, notice: 'Cleared.' },
    effect: ({ clear }) => clear(),
  }),
  f: ({ filter }) => ({ ui: { selected: null, filter: { ...filter, failedOnly: !filter.failedOnly } } }),
  ' ': ({ filter }, { context: { feed } }) => ({
    ui: { filter: { ...filter, until: filter.until === null ? feed.newest : null } },
  }),
  r: (_ui, { row }) => (row === null ? notice('No event is selected.') : resend([row.event.id])),
  R: (_ui, { context: { feed } }) => {
    const ids = feed.rows.filter(hasFailedDelivery).map(({ event }) => event.id)
    return ids.length === 0 ? notice('No event has failed.') : resend(ids)
  },
  y: (_ui, { row }) => copy('the id', row?.event.id ?? null),
  Y: (_ui, { row }) => copy('the payload', row && JSON.stringify(row.event, null, 2)),
  c: (_ui, { row }) => copy('a curl command', row && formatCurl(row)),
  o: (_ui, { row }) => {
    const url = row && findPageUrl({ ...row.event.data.object })
    if (url === null) return notice('The object of this event has no page.')
    return { ...notice(`Opening ${url}`), effect: ({ open }) => open(url) }
  },
}

function runAction(ui: UiState, key: KeyPress, target: KeyTarget): KeyResult {
  const { row, context } = target
  if (key === 'escape') return { ui: { selected: null, find: '', filter: INITIAL_UI.filter } }
  if (key === 'return' && row !== null) return { ui: { mode: 'detail', selected: row.event.id, cursor: 0 } }
  const action = Object.hasOwn(ACTIONS, key) ? ACTIONS[key] : undefined
  if (action !== undefined) return action(ui, target)
  return (row && context.isSplit && findDetailKeyResult(ui, key, { row, context })) || {}
}

function notice(text: string): KeyResult {
  return { ui: { notice: text } }
}

function resend(ids: readonly string[]): KeyResult {
  const what = ids.length === 1 ? '1 event' : `${ids.length} events`
  return { ...notice(`Resending ${what} …`), effect: (effects) => effects.resend(ids) }
}

function copy(what: string, text: string | null): KeyResult {
  if (text === null) return notice(`Cannot copy ${what}: it does not exist.`)
  return { ...notice(`Copied ${what}.`), effect: (effects) => effects.copy(text) }
}

/** Formats the latest delivery of an event as a curl command for a POSIX shell; null when there is no delivery. */
function formatCurl({ event, deliveries }: ListedEvent): string | null {
  const delivery = deliveries.at(-1)
  if (delivery === undefined) return null
  const headers = Object.entries(delivery.request_headers).map(
    ([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`,
  )
  const data = `--data-raw ${quoteForShell(JSON.stringify(event))}`
  return ['curl', '-X POST', quoteForShell(delivery.url), ...headers, data].join(' ')
}
