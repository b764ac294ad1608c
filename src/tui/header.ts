import type { EventFeed } from './event-feed.ts'
import type { ScreenSize, ScreenState } from './screen-state.ts'
import { createSpan, createUntrustedSpan, cutLine, getLineWidth, type Line, type Span } from './spans.ts'
import { getSelectedRow, listVisibleRows } from './ui-state.ts'

/** Returns the four lines above the list. */
export function renderScreenHeader(state: ScreenState, { columns }: ScreenSize): Line[] {
  return [
    cutLine(connectionLine(state, columns), columns),
    targetLine(state.feed, columns),
    cutLine(countLine(state, columns), columns),
    [createSpan('─'.repeat(columns), { isDim: true })],
  ]
}

const STATUS_SPANS: Readonly<Record<EventFeed['connection']['state'], Span>> = {
  connecting: createSpan('◌ connecting', { color: 'yellow' }),
  ready: createSpan('● ready', { color: 'green' }),
  retrying: createSpan('◌ reconnecting', { color: 'yellow' }),
  down: createSpan('✗ reconnecting', { color: 'red' }),
}

function statusSpan({ connection, targets }: EventFeed): Span {
  const broken = targets.find(({ status }) => status !== 'enabled')
  if (connection.state !== 'ready' || broken === undefined) return STATUS_SPANS[connection.state]
  return createSpan(`✗ target ${broken.status}`, { color: 'red' })
}

function connectionLine({ feed, apiBase, sandbox, ui, nowMs }: ScreenState, columns: number): Line {
  const { state, reason } = feed.connection
  const { rate, p95Ms } = feed.traffic.read(nowMs)
  // Omit the reason if the notice already shows the full reason.
  const problem = state === 'ready' || reason === ui.notice ? null : reason
  return keepImportant(
    [
      [createSpan('paycli listen  ', { isBold: true }), 0],
      [statusSpan(feed), 9],
      [problem && createUntrustedSpan(`  ${problem}`, { color: 'red' }), 8],
      [sandbox && createUntrustedSpan(`  sandbox ${sandbox}`, { color: 'cyan' }), 7],
      [createUntrustedSpan(`  ${apiBase}`), 1],
      [createSpan(`  ${formatRate(rate)} events/s`), 3],
      [p95Ms === null ? null : createSpan(`  p95 ${p95Ms} ms`), 2],
    ],
    columns,
  )
}

function formatRate(rate: number): string {
  return rate === 0 || rate >= 10 ? String(Math.round(rate)) : rate.toFixed(1)
}

/** A part of a line; an empty string or null for an absent part. */
type Part = readonly [span: Span | '' | null, importance: number]

/** Omits the least important parts of a line until the remaining parts fit. */
function keepImportant(parts: readonly Part[], columns: number): Line {
  let kept = parts.flatMap(([span, importance]) => (span ? [{ span, importance }] : []))
  const lineOf = () => kept.map(({ span }) => span)
  while (kept.length > 1 && getLineWidth(lineOf()) > columns) {
    const least = Math.min(...kept.map(({ importance }) => importance))
    kept = kept.filter(({ importance }) => importance !== least)
  }
  return lineOf()
}

const UNKNOWN_MARK = createSpan('○ ', { color: 'yellow' })
const SUCCESS_MARK = createSpan('● ', { color: 'green' })
const FAILURE_MARK = createSpan('✗ ', { color: 'red' })

function targetLine({ connection, targets, results }: EventFeed, columns: number): Line {
  if (targets.length === 0) {
    // The server sends the targets after the connection is established.
    const isReady = connection.state === 'ready'
    const text = isReady ? 'Not forwarding. Use --forward-to <port>.' : 'Connecting to the server …'
    return cutLine([createSpan(text, { isDim: true })], columns)
  }
  const all = targets.map((target): Line => {
    if (target.status !== 'enabled')
      return [FAILURE_MARK, createUntrustedSpan(`${target.url} (${target.status})`)]
    const last = results.get(target.webhook_endpoint)
    const mark = last === undefined ? UNKNOWN_MARK : last.error === null ? SUCCESS_MARK : FAILURE_MARK
    return [mark, createUntrustedSpan(target.url)]
  })
  // Sort failing targets first, because the last targets may not fit.
  const sorted = all.toSorted((a, b) => Number(b[0] === FAILURE_MARK) - Number(a[0] === FAILURE_MARK))
  const isForwarding = targets.every(({ status }) => status === 'enabled')
  const label = isForwarding ? [createSpan('Forwarding to ', { isDim: true })] : []
  let line: Line = cutLine([...label, ...(sorted[0] ?? [])], columns)
  for (const [index, target] of sorted.entries()) {
    if (index === 0) continue
    const more = index === sorted.length - 1 ? '' : `  +${sorted.length - index - 1} more`
    const longer = [...line, createSpan('  '), ...target]
    if (getLineWidth(longer) + more.length > columns) {
      const others = `  +${sorted.length - index} more`
      return [...cutLine(line, columns - others.length), createSpan(others, { isDim: true })]
    }
    line = longer
  }
  return line
}

function countLine(state: ScreenState, columns: number): Line {
  const { feed, ui, secret } = state
  const { events, failed } = feed.counts
  const shown = secret === null ? '' : ui.isSecretShown ? secret : 'whsec_•••••••• (S shows it)'
  return keepImportant(
    [
      [createSpan(`${events} ${events === 1 ? 'event' : 'events'}  `), 9],
      [createSpan(`${failed} failed  `, failed > 0 ? { color: 'red' } : { isDim: true }), 8],
      ...filterParts(state),
      [createUntrustedSpan(`${shown}  `, { isDim: true }), ui.isSecretShown ? 3 : 0],
      [feed.reset && createUntrustedSpan(feed.reset, { color: 'yellow' }), 2],
    ],
    columns,
  )
}

function filterParts(state: ScreenState): Part[] {
  const { feed, ui } = state
  const { search, types, failedOnly, until } = ui.filter
  const paused = until === null ? '' : `PAUSED, ${feed.newest - until} more  `
  const color = 'cyan'
  return [
    [paused && createSpan(paused, { color: 'yellow', isBold: true }), 7],
    [search && createUntrustedSpan(`/${search} ${positionOf(state)}  `, { color }), 6],
    [failedOnly ? createSpan('failed only  ', { color }) : null, 5],
    [types && createUntrustedSpan(`type ${types}  `, { color }), 5],
    [ui.grouping === 'none' ? null : createSpan(`by ${ui.grouping}  `, { color }), 4],
  ]
}

/** Returns the number of the selected row and of all listed rows, such as `3/58`. */
function positionOf({ feed, ui }: ScreenState): string {
  const rows = listVisibleRows(feed, ui)
  const row = getSelectedRow(rows, ui)
  return `${row === null ? 0 : rows.indexOf(row) + 1}/${rows.length}`
}
