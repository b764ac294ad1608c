import type { EventFilter } from './event-feed.ts'

/** The tabs of the event detail, in order. */
export const TABS = ['payload', 'headers', 'response', 'attempts', 'diff'] as const

export type Tab = (typeof TABS)[number]

/** The state of the user interface: mode, selection, filter and typed text. */
export interface UiState {
  readonly mode: 'list' | 'detail' | 'help' | 'search' | 'types' | 'trigger'
  /** Id of the selected event; null follows the newest. */
  readonly selected: string | null
  readonly tab: Tab
  /** The first line of the detail that is shown. */
  readonly scroll: number
  readonly filter: EventFilter
  /** The text typed so far. */
  readonly draft: string
  /** Index of the selected trigger. */
  readonly choice: number
  readonly isSecretShown: boolean
  /** The message below the list. */
  readonly notice: string | null
}

/** The state of the screen at the start. */
export const INITIAL_UI: UiState = {
  mode: 'list',
  selected: null,
  tab: 'payload',
  scroll: 0,
  filter: { search: '', types: '', failedOnly: false, until: null },
  draft: '',
  choice: 0,
  isSecretShown: false,
  notice: null,
}

/** An event type that can be triggered, and how `paycli trigger` causes it. */
export interface TriggerChoice {
  readonly type: string
  readonly how: string
}

/** Returns the triggers whose type contains the typed text. */
export function filterTriggers(triggers: readonly TriggerChoice[], draft: string): readonly TriggerChoice[] {
  return triggers.filter(({ type }) => type.includes(draft.trim()))
}
