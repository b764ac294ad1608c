import { getDisplayWidth } from '../domain/text/display-width.ts'
import { FOOTER_ROWS, HEADER_ROWS, type ScreenSize, type ScreenState } from './screen-state.ts'
import { createSpan, createUntrustedSpan, cutLine, type Line, wrapUntrustedText } from './spans.ts'
import type { UiState } from './ui-state.ts'

/** Maximum rows of a notice. A long notice replaces rows of the list, so that its instructions are not cut. */
const MAX_NOTICE_ROWS = 3
const MIN_BODY_ROWS = 4

/** Key hints, the most important first. */
const KEYS: Readonly<Record<UiState['mode'], readonly string[]>> = {
  list: [
    ...['? help', 'q quit', 'Enter open', 'r resend', 'R failed', '/ search', 't trigger', 'b group'],
    ...['e type', 'f failed only', 'Space pause', 'y Y c copy', 'o open', 'x clear', 'S secret'],
  ],
  detail: [
    ...['? help', 'q quit', 'Esc back', 'Tab next tab', '↑↓ move', 'Enter fold', 'z fold all', '/ search'],
    ...['n N match', 'r resend', 'y Y c copy', 'o open'],
  ],
  help: ['↑↓ scroll', 'any other key: back'],
  search: ['Enter search', 'Esc cancel', 'values only, not field names', 'empty: all events'],
  find: ['Enter search', 'Esc cancel', 'n N next or previous match'],
  types: ['Enter apply', 'Esc cancel', 'e.g. invoice.*', 'empty: all types'],
  trigger: ['Enter trigger', 'Esc cancel', '↑↓ select', 'type to search'],
}

/** Returns the key hints that fit, and the number of omitted hints. */
function keyLine(mode: UiState['mode'], columns: number): string {
  const hints = KEYS[mode]
  for (let shown = hints.length; shown > 0; shown -= 1) {
    const hidden = hints.length - shown
    const suffix = hidden === 0 ? '' : hints[0] === '? help' ? `  +${hidden} in help` : `  +${hidden}`
    const line = hints.slice(0, shown).join('  ') + suffix
    if (getDisplayWidth(line) <= columns) return line
  }
  return hints[0] ?? ''
}

const PROMPTS: Partial<Readonly<Record<UiState['mode'], string>>> = {
  search: '/',
  find: '/',
  types: 'type: ',
  trigger: 'trigger: ',
}

/** Returns the lines below the list: the typed text or a notice, and the keys. */
export function renderFooterLines({ ui }: ScreenState, { columns, rows }: ScreenSize): Line[] {
  const keys = cutLine([createSpan(keyLine(ui.mode, columns), { isDim: true })], columns)
  const prompt = PROMPTS[ui.mode]
  if (prompt !== undefined) {
    const draft = tailThatFits(createUntrustedSpan(ui.draft).text, columns - prompt.length - 1)
    return [[createSpan(prompt, { isBold: true }), createSpan(`${draft}▏`)], keys]
  }
  if (ui.notice === null) return [[], keys]
  const maxRows = Math.min(MAX_NOTICE_ROWS, Math.max(1, rows - HEADER_ROWS - FOOTER_ROWS - MIN_BODY_ROWS))
  const notice = wrapUntrustedText(ui.notice, columns, maxRows)
  return [...notice.map((text) => cutLine([createSpan(text, { color: 'cyan' })], columns)), keys]
}

/** Returns the end of the typed text, where the cursor is. */
function tailThatFits(text: string, columns: number): string {
  const characters = Array.from(text)
  while (characters.length > 0 && getDisplayWidth(characters.join('')) > columns) characters.shift()
  return characters.join('')
}
