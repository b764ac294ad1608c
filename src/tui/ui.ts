import type { Filter } from './model.ts'

/** The parts of what there is to see of an event, in the order of the tabs. */
export const TABS = ['payload', 'headers', 'response', 'attempts', 'diff'] as const

export type Tab = (typeof TABS)[number]

/** What is on the screen and how far the user is with it. */
export interface Ui {
  readonly mode: 'list' | 'detail' | 'help' | 'search' | 'types' | 'trigger'
  /** The event that is marked; null follows the newest. */
  readonly selected: string | null
  readonly tab: Tab
  /** The first line of the detail that is shown. */
  readonly scroll: number
  readonly filter: Filter
  /** What is being typed. */
  readonly draft: string
  /** Which of the triggers on offer is marked. */
  readonly choice: number
  readonly isSecretShown: boolean
  /** What was done at last, in words. */
  readonly notice: string | null
}

/** The screen as it begins. */
export const FIRST_UI: Ui = {
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

/** An event that can be triggered, and how that is done. */
export interface TriggerChoice {
  readonly type: string
  readonly how: string
}

/** The triggers that what was typed leaves. */
export function offeredTriggers(triggers: readonly TriggerChoice[], draft: string): readonly TriggerChoice[] {
  return triggers.filter(({ type }) => type.includes(draft.trim()))
}
