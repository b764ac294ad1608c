import type { DetailPaneRow } from './detail-pane.ts'
import type { ListedEvent } from './event-feed.ts'
import type { ScreenState } from './screen-state.ts'
import type { UiState } from './ui-state.ts'

/** A pressed key: Ink's name of a key, such as `pageUp`, `interrupt` for ^C, or a typed character. */
export type KeyPress = string

/** Effects of keys outside the screen, such as requests and the clipboard. */
export interface KeyEffects {
  readonly quit: (isInterrupt: boolean) => void
  readonly resend: (ids: readonly string[]) => Promise<void>
  readonly copy: (text: string) => Promise<void>
  readonly open: (url: string) => Promise<void>
  readonly trigger: (type: string) => Promise<void>
  readonly clear: () => void
}

/** The data that keys act on. */
export interface KeyContext extends Pick<ScreenState, 'feed' | 'triggers'> {
  /** Number of rows that fit on the screen. */
  readonly pageRows: number
  /** Whether the detail is beside the list. */
  readonly isSplit: boolean
  readonly listDetailRows: (row: ListedEvent, ui: UiState) => readonly DetailPaneRow[]
}

/** The changes to the screen after a key press, and the effect to run. */
export interface KeyResult {
  readonly ui?: Partial<UiState>
  readonly effect?: (effects: KeyEffects) => Promise<void> | void
}

/** The event that a key acts on, and the data of all keys. */
export interface KeyTarget {
  readonly row: ListedEvent | null
  readonly context: KeyContext
}

const STEPS: Readonly<Record<string, number>> = { upArrow: -1, k: -1, downArrow: 1, j: 1 }

/** Returns the number of rows by which a key moves, or 0 for any other key. */
export function getCursorStep(key: KeyPress, { pageRows }: KeyContext): number {
  return key === 'pageUp' ? -pageRows : key === 'pageDown' ? pageRows : (STEPS[key] ?? 0)
}
