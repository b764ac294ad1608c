import { type EventFeed, type EventFilter, filterEventRows, type ListedEvent } from './event-feed.ts'
import { type Grouping, sortRowsByGroup } from './grouping.ts'

/** The tabs of the event detail, in order. */
export const TABS = ['payload', 'headers', 'response', 'attempts', 'diff'] as const

export type Tab = (typeof TABS)[number]

/** The state of the user interface: mode, selection, filter and typed text. */
export interface UiState {
  readonly mode: 'list' | 'detail' | 'help' | 'search' | 'find' | 'types' | 'trigger'
  /** Id of the selected event; null to follow the newest event. */
  readonly selected: string | null
  readonly grouping: Grouping
  readonly tab: Tab
  /** Index of the selected line of the detail. */
  readonly cursor: number
  /** JSON pointers of the folded objects of payloads. */
  readonly folded: ReadonlySet<string>
  /** Text that the detail highlights. */
  readonly find: string
  readonly filter: EventFilter
  /** The text typed so far. */
  readonly draft: string
  /** Index of the selected trigger. */
  readonly choice: number
  /** The first line of the help that is shown. */
  readonly helpScroll: number
  readonly isSecretShown: boolean
  /** The message below the list. */
  readonly notice: string | null
}

/** The state of the screen at the start. */
export const INITIAL_UI: UiState = {
  mode: 'list',
  selected: null,
  grouping: 'none',
  tab: 'payload',
  cursor: 0,
  folded: new Set(),
  find: '',
  filter: { search: '', types: '', failedOnly: false, until: null },
  draft: '',
  choice: 0,
  helpScroll: 0,
  isSecretShown: false,
  notice: null,
}

/** Returns the rows of the list in the order of the screen. */
export function listVisibleRows(feed: EventFeed, { filter, grouping }: UiState): readonly ListedEvent[] {
  return sortRowsByGroup(filterEventRows(feed, filter), grouping)
}

/** Returns the selected row, or the last row when the selected row is not in the list. */
export function getSelectedRow(
  rows: readonly ListedEvent[],
  { selected }: Pick<UiState, 'selected'>,
): ListedEvent | null {
  return rows.find((row) => row.event.id === selected) ?? rows.at(-1) ?? null
}

/** An event type that can be triggered, with the description of its trigger. */
export interface TriggerChoice {
  readonly type: string
  readonly how: string
}

/** Returns the triggers whose type contains the typed text. */
export function filterTriggers(triggers: readonly TriggerChoice[], draft: string): readonly TriggerChoice[] {
  return triggers.filter(({ type }) => type.includes(draft.trim()))
}
