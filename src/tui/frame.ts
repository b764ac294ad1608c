import type { WebhookDelivery } from '../domain/webhook-deliveries.ts'
import { detailLines, tabLine } from './detail-lines.ts'
import { type Connection, type Feed, latestAt, type Row, visibleRows } from './feed.ts'
import { listLines } from './list-lines.ts'
import { selectedRow } from './press.ts'
import { foreign, type Line, own, type Span } from './spans.ts'
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

/** How many rows of the list fit below the head. */
export function pageRows({ rows }: Size): number {
  return Math.max(1, rows - HEAD_ROWS - FOOT_ROWS)
}

/** The lines of the screen, exactly as many as it has rows. */
export function frameOf(scene: Scene, size: Size): Line[] {
  const height = pageRows(size)
  const body = bodyLines(scene, size).slice(0, height)
  const filler = Array.from({ length: height - body.length }, (): Line => [])
  return [...headLines(scene, size), ...body, ...filler, ...footLines(scene)].slice(0, size.rows)
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
  const { events, failures } = feed.counts
  const { state, reason } = feed.connection
  const shown = secret === null ? '' : ui.isSecretShown ? secret : 'whsec_•••••••• (S shows it)'
  const trouble = state === 'ready' ? [] : [foreign(`  ${reason ?? ''}`, { color: 'red' })]
  return [
    [own('paycli listen  ', { isBold: true }), stateSpan(feed), foreign(`  ${apiBase}`), ...trouble],
    targetLine(feed),
    [
      own(`${events} events  `),
      own(`${failures} failed  `, failures > 0 ? { color: 'red' } : { isDim: true }),
      own(`${shown}  `, { isDim: true }),
      ...filterSpans(scene),
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
    ...(feed.reset === null ? [] : [foreign(feed.reset, { color: 'yellow' })]),
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
  ['/', 'search in events'],
  ['e', 'only a type, such as invoice.*'],
  ['f', 'failed only (#1 is the first attempt, ↻1 the first resend)'],
  ['Esc', 'no filter at all'],
  ['Space', 'pause the list'],
  ['y Y c', 'copy the id, the payload, a curl command'],
  ['t', 'trigger an event'],
  ['o', 'open the page of what the event is about'],
  ['S', 'show or hide the signing secret'],
  ['x', 'clear the list'],
  ['q', 'quit'],
]

function bodyLines(scene: Scene, size: Size): readonly Line[] {
  const { feed, ui, triggers, attempts } = scene
  const { columns } = size
  if (ui.mode === 'help') {
    return HELP.map(([keys, what]) => [own(`  ${keys.padEnd(15)}`, { isBold: true }), own(what)])
  }
  if (ui.mode === 'trigger')
    return triggerLines(offeredTriggers(triggers, ui.draft), ui.choice, pageRows(size))
  const rows = visibleRows(feed, ui.filter)
  const marked = selectedRow(rows, ui)
  if (ui.mode === 'detail' && marked !== null) {
    const lines = detailLines({ feed, row: marked, tab: ui.tab, attempts, columns })
    const height = pageRows(size) - 1
    const first = Math.min(ui.scroll, Math.max(0, lines.length - height))
    return [tabLine({ row: marked, tab: ui.tab }), ...lines.slice(first, first + height)]
  }
  if (rows.length > 0) {
    return listLines({ rows, marked, targets: feed.targets, columns, height: pageRows(size) })
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

const KEYS: Readonly<Record<Ui['mode'], string>> = {
  list: '? help  q quit  Enter detail  r resend  R all failed  / search  t trigger  e type',
  detail: 'Tab next tab  ↑↓ scroll  r resend  y Y c copy  o open  Esc back  q quit',
  help: 'any key goes back',
  search: 'Enter searches  Esc cancels',
  types: 'Enter filters, such as invoice.* (empty for all)  Esc cancels',
  trigger: 'type to narrow  ↑↓ choose  Enter triggers  Esc cancels',
}

const PROMPTS: Partial<Readonly<Record<Ui['mode'], string>>> = {
  search: '/',
  types: 'type: ',
  trigger: 'trigger: ',
}

function footLines({ ui }: Scene): Line[] {
  const prompt = PROMPTS[ui.mode]
  const said = ui.notice === null ? own('') : foreign(ui.notice, { color: 'cyan' })
  const first = prompt === undefined ? [said] : [own(prompt, { isBold: true }), foreign(`${ui.draft}▏`)]
  return [first, [own(KEYS[ui.mode], { isDim: true })]]
}
