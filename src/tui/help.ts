import { createSpan, type Line } from './spans.ts'

const HELP: readonly (readonly [keys: string, text: string])[] = [
  ['↑ ↓ j k', 'move'],
  ['g G PgUp PgDn', 'first, newest, page up, page down'],
  ['Enter Esc', 'open the event, go back'],
  ['Tab ← →', 'next tab, next or previous tab'],
  ['r  R', 'resend this event, all failed events'],
  ['/', 'search the values of events, or inside an event'],
  ['n  N', 'next or previous match inside an event'],
  ['Enter', 'inside a payload: fold or unfold the object'],
  ['z', 'inside a payload: fold or unfold all objects'],
  ['b', 'group by object, by request, or not'],
  ['e', 'filter by type such as invoice.*'],
  ['f', 'failed events only'],
  ['Esc', 'in the list: clear all filters'],
  ['Space', 'pause or resume the list'],
  ['y Y c', 'copy the id, payload or a curl command'],
  ['t', 'trigger an event'],
  ['o', 'open the page of the object'],
  ['S', 'show or hide the signing secret'],
  ['x', 'clear the list and its counters'],
  ['?', 'show the keys'],
  ['q', 'quit'],
]

/** Returns the maximum scroll position of the help for a screen height. */
export function getMaxHelpScroll(height: number): number {
  return HELP.length <= height ? 0 : HELP.length - height + 1
}

/** Returns the help from line `scroll`; the last row shows the number of hidden lines below or above. */
export function renderHelpLines(scroll: number, height: number): Line[] {
  const lines = HELP.map(
    ([keys, text]): Line => [createSpan(`  ${keys.padEnd(15)}`, { isBold: true }), createSpan(text)],
  )
  if (lines.length <= height) return lines
  const first = Math.min(scroll, getMaxHelpScroll(height))
  const shown = lines.slice(first, first + height - 1)
  const below = lines.length - first - shown.length
  const more = below > 0 ? `  ↓ ${below} more: press ↓ or PgDn` : `  ↑ ${first} more: press ↑ or PgUp`
  return [...shown, [createSpan(more, { color: 'yellow' })]]
}
