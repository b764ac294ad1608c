import type { WebhookDelivery } from '../domain/webhook-deliveries.ts'
import { detailLines, tabLine } from './detail-lines.ts'
import { selectedRow } from './keymap.ts'
import { listLines } from './list-lines.ts'
import { type Connection, type Feed, latestAt, type Row, visibleRows } from './model.ts'
import { foreign, foreignNote, type Line, own, type Span } from './spans.ts'
import { offeredTriggers, type TriggerChoice, type Ui } from './ui.ts'

/** Columns and rows of the terminal. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** Everything the screen shows. */
export interface Scene {
  readonly feed: Feed
  readonly ui: Ui
  readonly apiBase: string
  /** What signs what is forwarded; null before the service said it. */
  readonly secret: string | null
  readonly triggers: readonly TriggerChoice[]
  /** What the service lists of the event in the detail; null while it is not there. */
  readonly attempts: readonly WebhookDelivery[] | null
}

const HEAD_ROWS = 4
const FOOT_ROWS = 2
/** A note is short, or has a remedy that must not be cut; it takes rows of the list as long as some are left. */
const MOST_NOTE_ROWS = 3
const LEAST_BODY_ROWS = 4

/** How many rows of the list fit below the head. */
export function pageRows({ rows }: Size): number {
  return Math.max(1, rows - HEAD_ROWS - FOOT_ROWS)
}

/** The lines of the screen, exactly as many as it has rows. */
export function frameOf(scene: Scene, size: Size): Line[] {
  const foot = footLines(scene, size)
  const height = Math.max(1, size.rows - HEAD_ROWS - foot.length)
  const body = bodyLines(scene, size.columns, height).slice(0, height)
  const filler = Array.from({ length: height - body.length }, (): Line => [])
  return [...headLines(scene, size), ...body, ...filler, ...foot].slice(0, size.rows)
}

const STATES: Readonly<Record<Connection['state'], Span>> = {
  connecting: own('◌ connecting', { color: 'yellow' }),
  ready: own('● ready', { color: 'green' }),
  retrying: own('◌ retrying', { color: 'yellow' }),
  down: own('✗ down', { color: 'red' }),
}

/** How the connection is, or what is wrong with a target that gets nothing over a good one. */
function stateSpan({ connection, targets }: Feed): Span {
  const off = targets.find(({ status }) => status !== 'enabled')
  if (connection.state !== 'ready' || off === undefined) return STATES[connection.state]
  return own(`✗ target ${off.status}`, { color: 'red' })
}

function headLines(scene: Scene, { columns }: Size): Line[] {
  const { feed, ui, apiBase, secret } = scene
  const { events, failed } = feed.counts
  const { state, reason } = feed.connection
  const shown = secret === null ? '' : ui.isSecretShown ? secret : 'whsec_•••••••• (S shows it)'
  const trouble = state === 'ready' ? [] : [foreign(`  ${reason ?? ''}`, { color: 'red' })]
  return [
    [own('paycli listen  ', { isBold: true }), stateSpan(feed), foreign(`  ${apiBase}`), ...trouble],
    targetLine(feed),
    [
      own(`${events} events  `),
      own(`${failed} failed  `, failed > 0 ? { color: 'red' } : { isDim: true }),
      ...filterSpans(scene),
      own(`${shown}  `, { isDim: true }),
      ...(feed.reset === null ? [] : [foreign(feed.reset, { color: 'yellow' })]),
    ],
    [own('─'.repeat(columns), { isDim: true })],
  ]
}

function targetLine({ targets, rows }: Feed): Line {
  if (targets.length === 0) return [own('Forwarding nothing; --forward-to <port> does.', { isDim: true })]
  return targets.flatMap((target) => {
    if (target.status !== 'enabled')
      return [own('✗ ', { color: 'red' }), foreign(`${target.url} (${target.status})  `)]
    const last = latestOf(rows, target.webhook_endpoint)
    const color = last === null ? 'yellow' : last.error === null ? 'green' : 'red'
    return [own(last === null ? '○ ' : '● ', { color }), foreign(`${target.url}  `)]
  })
}

const ROWS_LOOKED_AT = 200

function latestOf(rows: readonly Row[], webhookEndpoint: string) {
  const row = rows.slice(-ROWS_LOOKED_AT).findLast((one) => latestAt(one, webhookEndpoint) !== null)
  return row === undefined ? null : latestAt(row, webhookEndpoint)
}

function filterSpans({ feed, ui }: Scene): Span[] {
  const { search, types, failedOnly, until } = ui.filter
  const waiting = until === null ? 0 : feed.counts.events - until
  return [
    ...(until === null ? [] : [own(`PAUSED, ${waiting} more  `, { color: 'yellow', isBold: true })]),
    ...(failedOnly ? [own('failed only  ', { color: 'cyan' })] : []),
    ...(types === '' ? [] : [foreign(`type ${types}  `, { color: 'cyan' })]),
    ...(search === '' ? [] : [foreign(`/${search}  `, { color: 'cyan' })]),
  ]
}

const FIRST_WORDS: readonly string[] = [
  'No events yet. They show up here as they happen.',
  '',
  't   causes one',
  '?   shows all keys',
]

const HELP: readonly (readonly [keys: string, what: string])[] = [
  ['↑ ↓ j k', 'move'],
  ['g G PgUp PgDn', 'first, newest, a page up or down'],
  ['Enter Esc', 'open the detail, go back'],
  ['Tab ← →', 'next or other tab of the detail'],
  ['r  R', 'send again: this one, all that failed'],
  ['#1  ↻1', 'the first attempt, the first resend'],
  ['/  e', 'search, only a type such as invoice.*'],
  ['f  Esc', 'failed only, no filter at all'],
  ['Space', 'pause the list'],
  ['y Y c', 'copy the id, the payload, a curl command'],
  ['t', 'trigger an event'],
  ['o', 'open the page of what the event is about'],
  ['S', 'show or hide the signing secret'],
  ['x', 'clear the list'],
  ['q', 'quit'],
]

function bodyLines(scene: Scene, columns: number, height: number): readonly Line[] {
  const { feed, ui, triggers, attempts } = scene
  if (ui.mode === 'help') {
    return HELP.map(([keys, what]) => [own(`  ${keys.padEnd(15)}`, { isBold: true }), own(what)])
  }
  if (ui.mode === 'trigger') return triggerLines(offeredTriggers(triggers, ui.draft), ui.choice, height)
  const rows = visibleRows(feed, ui.filter)
  const marked = selectedRow(rows, ui)
  if (ui.mode === 'detail' && marked !== null) {
    const lines = detailLines({ feed, row: marked, tab: ui.tab, attempts, columns })
    const first = Math.min(ui.scroll, Math.max(0, lines.length - height + 1))
    return [tabLine({ row: marked, tab: ui.tab }), ...lines.slice(first, first + height - 1)]
  }
  if (rows.length > 0) {
    return listLines({ rows, marked, targets: feed.targets, columns, height })
  }
  if (feed.rows.length > 0) return [[own('  Nothing fits the filter; Esc takes it away.', { isDim: true })]]
  return FIRST_WORDS.map((text) => [own(`  ${text}`, { isDim: true })])
}

function triggerLines(offered: readonly TriggerChoice[], choice: number, height: number): Line[] {
  const first = Math.max(0, choice - height + 1)
  if (offered.length === 0) return [[own('  No event is called so.', { isDim: true })]]
  return offered.slice(first, first + height).map(({ type, how }, index) => {
    const isMarked = first + index === choice
    return [
      own(`${isMarked ? '›' : ' '} ${type.padEnd(34)}`, { isInverse: isMarked }),
      own(how, { isDim: true }),
    ]
  })
}

/** What the keys do, the most needed first: what does not fit is left out from the end. */
const KEYS: Readonly<Record<Ui['mode'], readonly string[]>> = {
  list: [
    ...['? help', 'q quit', 'Enter detail', 'r resend', 'R failed'],
    ...['/ search', 't trigger', 'e type', 'f failed only', 'Space pause'],
  ],
  detail: ['? help', 'q quit', 'Esc back', 'Tab next tab', '↑↓ scroll', 'r resend', 'y Y c copy', 'o open'],
  help: ['any key goes back'],
  search: ['Enter searches', 'Esc cancels'],
  types: ['Enter filters', 'Esc cancels', 'such as invoice.*', 'empty for all'],
  trigger: ['Enter triggers', 'Esc cancels', '↑↓ choose', 'type to narrow'],
}

function keyLine(mode: Ui['mode'], columns: number): string {
  const [first = '', ...others] = KEYS[mode]
  let line = first
  for (const hint of others) {
    if (line.length + 2 + hint.length > columns) break
    line += `  ${hint}`
  }
  return line
}

const PROMPTS: Partial<Readonly<Record<Ui['mode'], string>>> = {
  search: '/',
  types: 'type: ',
  trigger: 'trigger: ',
}

function footLines({ ui }: Scene, { columns, rows }: Size): Line[] {
  const keys: Line = [own(keyLine(ui.mode, columns), { isDim: true })]
  const prompt = PROMPTS[ui.mode]
  if (prompt !== undefined) return [[own(prompt, { isBold: true }), foreign(`${ui.draft}▏`)], keys]
  // Every row that it has is one more for the help.
  if (ui.mode === 'help') return [keys]
  if (ui.notice === null) return [[], keys]
  const most = Math.min(MOST_NOTE_ROWS, Math.max(1, rows - HEAD_ROWS - FOOT_ROWS - LEAST_BODY_ROWS))
  const note = foreignNote(ui.notice, columns, most)
  return [...note.map((text): Line => [own(text, { color: 'cyan' })]), keys]
}
