import type { WebhookDelivery } from '../domain/webhook-deliveries.ts'
import { detailLines, tabLine } from './detail-lines.ts'
import {
  type ConnectionStatus,
  type EventFeed,
  type EventRow,
  latestDelivery,
  visibleRows,
} from './event-feed.ts'
import { selectedRow } from './keymap.ts'
import { listLines } from './list-lines.ts'
import { type Line, type Span, span, untrustedSpan, wrapUntrusted } from './spans.ts'
import { filterTriggers, type TriggerChoice, type UiState } from './ui-state.ts'

/** Columns and rows of the terminal. */
export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/** Everything the screen shows. */
export interface ScreenState {
  readonly feed: EventFeed
  readonly ui: UiState
  readonly apiBase: string
  /** The signing secret of the targets; null until the server has sent it. */
  readonly secret: string | null
  readonly triggers: readonly TriggerChoice[]
  /** The delivery attempts of the event in the detail; null until the server has returned them. */
  readonly attempts: readonly WebhookDelivery[] | null
}

const HEADER_ROWS = 4
const FOOTER_ROWS = 2
/** A long notice takes rows from the list, so that its instructions are not cut. */
const MAX_NOTICE_ROWS = 3
const MIN_BODY_ROWS = 4

/** Returns the number of rows of the list that fit below the header. */
export function pageRows({ rows }: ScreenSize): number {
  return Math.max(1, rows - HEADER_ROWS - FOOTER_ROWS)
}

/** Returns the lines of the screen, exactly as many as the terminal has rows. */
export function renderFrame(state: ScreenState, size: ScreenSize): Line[] {
  const footer = footerLines(state, size)
  const height = Math.max(1, size.rows - HEADER_ROWS - footer.length)
  const body = bodyLines(state, size.columns, height).slice(0, height)
  const filler = Array.from({ length: height - body.length }, (): Line => [])
  return [...headerLines(state, size), ...body, ...filler, ...footer].slice(0, size.rows)
}

const STATUS_SPANS: Readonly<Record<ConnectionStatus['state'], Span>> = {
  connecting: span('◌ connecting', { color: 'yellow' }),
  ready: span('● ready', { color: 'green' }),
  retrying: span('◌ retrying', { color: 'yellow' }),
  down: span('✗ down', { color: 'red' }),
}

function statusSpan({ connection, targets }: EventFeed): Span {
  const broken = targets.find(({ status }) => status !== 'enabled')
  if (connection.state !== 'ready' || broken === undefined) return STATUS_SPANS[connection.state]
  return span(`✗ target ${broken.status}`, { color: 'red' })
}

function headerLines(screen: ScreenState, { columns }: ScreenSize): Line[] {
  const { feed, ui, apiBase, secret } = screen
  const { events, failed } = feed.counts
  const { state, reason } = feed.connection
  const shown = secret === null ? '' : ui.isSecretShown ? secret : 'whsec_•••••••• (S shows it)'
  const problem = state === 'ready' ? [] : [untrustedSpan(`  ${reason ?? ''}`, { color: 'red' })]
  return [
    [span('paycli listen  ', { isBold: true }), statusSpan(feed), untrustedSpan(`  ${apiBase}`), ...problem],
    targetLine(feed),
    [
      span(`${events} events  `),
      span(`${failed} failed  `, failed > 0 ? { color: 'red' } : { isDim: true }),
      ...filterSpans(screen),
      span(`${shown}  `, { isDim: true }),
      ...(feed.reset === null ? [] : [untrustedSpan(feed.reset, { color: 'yellow' })]),
    ],
    [span('─'.repeat(columns), { isDim: true })],
  ]
}

function targetLine({ targets, rows }: EventFeed): Line {
  if (targets.length === 0) return [span('Not forwarding. Use --forward-to <port>.', { isDim: true })]
  return targets.flatMap((target) => {
    if (target.status !== 'enabled')
      return [span('✗ ', { color: 'red' }), untrustedSpan(`${target.url} (${target.status})  `)]
    const last = latestRecentDelivery(rows, target.webhook_endpoint)
    const color = last === null ? 'yellow' : last.error === null ? 'green' : 'red'
    return [span(last === null ? '○ ' : '● ', { color }), untrustedSpan(`${target.url}  `)]
  })
}

const RECENT_ROWS = 200

function latestRecentDelivery(rows: readonly EventRow[], webhookEndpoint: string) {
  const row = rows.slice(-RECENT_ROWS).findLast((one) => latestDelivery(one, webhookEndpoint) !== null)
  return row === undefined ? null : latestDelivery(row, webhookEndpoint)
}

function filterSpans({ feed, ui }: ScreenState): Span[] {
  const { search, types, failedOnly, until } = ui.filter
  const waiting = until === null ? 0 : feed.counts.events - until
  return [
    ...(until === null ? [] : [span(`PAUSED, ${waiting} more  `, { color: 'yellow', isBold: true })]),
    ...(failedOnly ? [span('failed only  ', { color: 'cyan' })] : []),
    ...(types === '' ? [] : [untrustedSpan(`type ${types}  `, { color: 'cyan' })]),
    ...(search === '' ? [] : [untrustedSpan(`/${search}  `, { color: 'cyan' })]),
  ]
}

const EMPTY_LIST: readonly string[] = ['No events yet.', '', 't   trigger an event', '?   show all keys']

const HELP: readonly (readonly [keys: string, text: string])[] = [
  ['↑ ↓ j k', 'move'],
  ['g G PgUp PgDn', 'first, newest, page up, page down'],
  ['Enter Esc', 'open the event, go back'],
  ['Tab ← →', 'next tab, next or previous tab'],
  ['r  R', 'resend this event, all failed events'],
  ['#1  ↻1', 'first attempt, first resend'],
  ['/  e', 'search, filter by type such as invoice.*'],
  ['f  Esc', 'failed events only, clear all filters'],
  ['Space', 'pause or resume the list'],
  ['y Y c', 'copy the id, payload or a curl command'],
  ['t', 'trigger an event'],
  ['o', 'open the page of the object'],
  ['S', 'show or hide the signing secret'],
  ['x', 'clear the list'],
  ['q', 'quit'],
]

function bodyLines(screen: ScreenState, columns: number, height: number): readonly Line[] {
  const { feed, ui, triggers, attempts } = screen
  if (ui.mode === 'help') {
    return HELP.map(([keys, text]) => [span(`  ${keys.padEnd(15)}`, { isBold: true }), span(text)])
  }
  if (ui.mode === 'trigger') return triggerLines(filterTriggers(triggers, ui.draft), ui.choice, height)
  const rows = visibleRows(feed, ui.filter)
  const selected = selectedRow(rows, ui)
  if (ui.mode === 'detail' && selected !== null) {
    const lines = detailLines({ feed, row: selected, tab: ui.tab, attempts, columns })
    const first = Math.min(ui.scroll, Math.max(0, lines.length - height + 1))
    return [tabLine(selected, ui.tab), ...lines.slice(first, first + height - 1)]
  }
  if (rows.length > 0) {
    return listLines({ rows, selected, targets: feed.targets, columns, height })
  }
  if (feed.rows.length > 0) return [[span('  No events match the filter. Esc clears it.', { isDim: true })]]
  return EMPTY_LIST.map((text) => [span(`  ${text}`, { isDim: true })])
}

function triggerLines(offered: readonly TriggerChoice[], choice: number, height: number): Line[] {
  const first = Math.max(0, choice - height + 1)
  if (offered.length === 0) return [[span('  No event type matches.', { isDim: true })]]
  return offered.slice(first, first + height).map(({ type, how }, index) => {
    const isSelected = first + index === choice
    return [
      span(`${isSelected ? '›' : ' '} ${type.padEnd(34)}`, { isInverse: isSelected }),
      span(how, { isDim: true }),
    ]
  })
}

/** Key hints, the most important first: hints that do not fit are omitted from the end. */
const KEYS: Readonly<Record<UiState['mode'], readonly string[]>> = {
  list: [
    ...['? help', 'q quit', 'Enter open', 'r resend', 'R failed'],
    ...['/ search', 't trigger', 'e type', 'f failed only', 'Space pause'],
  ],
  detail: ['? help', 'q quit', 'Esc back', 'Tab next tab', '↑↓ scroll', 'r resend', 'y Y c copy', 'o open'],
  help: ['any key: back'],
  search: ['Enter search', 'Esc cancel'],
  types: ['Enter apply', 'Esc cancel', 'e.g. invoice.*', 'empty: all types'],
  trigger: ['Enter trigger', 'Esc cancel', '↑↓ select', 'type to search'],
}

function keyLine(mode: UiState['mode'], columns: number): string {
  const [first = '', ...others] = KEYS[mode]
  let line = first
  for (const hint of others) {
    if (line.length + 2 + hint.length > columns) break
    line += `  ${hint}`
  }
  return line
}

const PROMPTS: Partial<Readonly<Record<UiState['mode'], string>>> = {
  search: '/',
  types: 'type: ',
  trigger: 'trigger: ',
}

function footerLines({ ui }: ScreenState, { columns, rows }: ScreenSize): Line[] {
  const keys: Line = [span(keyLine(ui.mode, columns), { isDim: true })]
  const prompt = PROMPTS[ui.mode]
  if (prompt !== undefined) return [[span(prompt, { isBold: true }), untrustedSpan(`${ui.draft}▏`)], keys]
  // The help needs every row.
  if (ui.mode === 'help') return [keys]
  if (ui.notice === null) return [[], keys]
  const maxRows = Math.min(MAX_NOTICE_ROWS, Math.max(1, rows - HEADER_ROWS - FOOTER_ROWS - MIN_BODY_ROWS))
  const notice = wrapUntrusted(ui.notice, columns, maxRows)
  return [...notice.map((text): Line => [span(text, { color: 'cyan' })]), keys]
}
