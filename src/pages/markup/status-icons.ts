import { type Html, html } from './html.ts'

export type StatusIconKind = 'good' | 'waiting' | 'ended' | 'shield'

const SHAPES: Readonly<Record<StatusIconKind, string>> = {
  good: 'M5 12.5l4.5 4.5L19 7.5',
  waiting: 'M12 7v5l3.5 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
  ended: 'M12 8v5m0 3.5v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
  shield: 'M12 3l7 3v5c0 4.5-3 8.2-7 10-4-1.8-7-5.5-7-10V6zM9 12l2.2 2.2L15.2 10',
}

/** Returns a round icon for the top of a page. The icon is decorative, because the heading has the same meaning. */
export function renderStatusIcon(kind: StatusIconKind): Html {
  return html`<span class="mark ${kind}"><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${SHAPES[kind]}"/></svg></span>`
}
