import type { WebhookDelivery } from '../domain/events/webhook-deliveries.ts'
import type { EventFeed } from './event-feed.ts'
import type { TriggerChoice, UiState } from './ui-state.ts'

/** Columns and rows of the terminal. */
export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/** The data that the screen shows. */
export interface ScreenState {
  readonly feed: EventFeed
  readonly ui: UiState
  readonly apiBase: string
  /** The name or id of the sandbox; null for the default sandbox. */
  readonly sandbox: string | null
  /** The signing secret of the targets; null until the server has sent it. */
  readonly secret: string | null
  readonly triggers: readonly TriggerChoice[]
  /** The delivery attempts of the event in the detail; null until the server has returned them. */
  readonly attempts: readonly WebhookDelivery[] | null
  /** Time of the next attempt of each failed delivery, in Unix seconds by `getRetryMapKey`. */
  readonly retries: ReadonlyMap<string, number>
  /** The time of the wall clock in Unix milliseconds. */
  readonly nowMs: number
}

/** Returns the key of the next attempt to deliver an event to an endpoint. */
export function getRetryMapKey(event: string, webhookEndpoint: string): string {
  return `${event} ${webhookEndpoint}`
}

/** Number of rows above the list. */
export const HEADER_ROWS = 4
/** Number of rows below the list without a long notice. */
export const FOOTER_ROWS = 2
/** Minimum width for the split view: list and detail side by side. */
const SPLIT_COLUMNS = 110
const LIST_SHARE = 0.57
const MAX_LIST_COLUMNS = 112

/** Returns the widths of the list and the detail in columns, and whether both are shown at the same time. */
export function computePaneWidths({ columns }: ScreenSize) {
  if (columns < SPLIT_COLUMNS) return { isSplit: false, list: columns, detail: columns }
  const list = Math.min(MAX_LIST_COLUMNS, Math.floor(columns * LIST_SHARE))
  return { isSplit: true, list, detail: columns - list - PANE_SEPARATOR.length }
}

/** The separator between the list and the detail. */
export const PANE_SEPARATOR = ' │ '

/** Returns the number of rows of the list that fit below the header. */
export function countListRows({ rows }: ScreenSize): number {
  return Math.max(1, rows - HEADER_ROWS - FOOTER_ROWS)
}
