import type { ListenTarget } from '../client/listen-records.ts'
import { getDisplayWidth, truncateWithEllipsis } from '../domain/text/display-width.ts'
import { getEventObjectSummary } from '../presentation/event-summary.ts'
import { findLatestDelivery, type ListedEvent } from './event-feed.ts'
import { getGroupKey } from './grouping.ts'
import { getRetryMapKey, type ScreenState } from './screen-state.ts'
import {
  createSpan,
  createUntrustedSpan,
  fitColumn,
  type Line,
  type Span,
  styleSelectedLine,
  underlineMatches,
} from './spans.ts'
import { formatEventSummary } from './summary-text.ts'
import { formatEventTime, formatRetry } from './time-labels.ts'

const MAX_TYPE_COLUMNS = 32
/** Minimum width of an event type. Most event types are not recognizable in fewer columns. */
const MIN_TYPE_COLUMNS = 12
/** Minimum columns for the start of a type. A last word that leaves fewer columns is cut. */
const MIN_TYPE_START = 4
const MIN_SUMMARY_SHARE = 0.45
const MAX_SUMMARY_COLUMNS = 40
/** Most event types fit into this number of columns, so the summary gets further columns. */
const COMMON_TYPE_COLUMNS = 25
/** Width of the delivery results with one target, by the width of the list, in columns. */
const RESULT_COLUMNS: readonly (readonly [from: number, columns: number])[] = [
  [96, 33],
  [72, 24],
  [0, 18],
]
const TARGET_COLUMNS = 4

/** The listed rows, the selected row, and the space for the list. */
export interface ListLinesOptions extends Pick<ScreenState, 'feed' | 'ui' | 'retries' | 'nowMs'> {
  readonly rows: readonly ListedEvent[]
  readonly selected: ListedEvent | null
  readonly columns: number
  readonly height: number
}

/** Returns the lines of the rows that fit, including the selected row. */
export function renderVisibleRows(options: ListLinesOptions): Line[] {
  const { rows, selected, height, ui, nowMs } = options
  const selectedAt = selected === null ? rows.length - 1 : rows.indexOf(selected)
  // Only rows near the selected row can be visible, because each row occupies a line.
  const from = Math.max(0, selectedAt - height)
  const near = rows.slice(from, selectedAt + height + 1)
  const items = near.flatMap((row, at) => {
    const key = getGroupKey(row, ui.grouping)
    const previous = rows[from + at - 1]
    const isFirst = ui.grouping !== 'none' && (!previous || getGroupKey(previous, ui.grouping) !== key)
    return [...(isFirst ? [{ row, isHeading: true }] : []), { row, isHeading: false }]
  })
  const at = items.findIndex(({ row, isHeading }) => row === selected && !isHeading)
  const end = Math.min(items.length, Math.max(height, at + Math.ceil(height / 2)))
  const shown = items.slice(Math.max(0, end - height), end)
  const timeColumns = Math.max(...shown.map(({ row }) => formatEventTime(row.event.created, nowMs).length))
  return shown.map(({ row, isHeading }) =>
    isHeading ? headingLine(row, options) : rowLine(row, layoutOf(options, timeColumns), options),
  )
}

/** Returns the width of the delivery results with one target, in columns. */
function resultColumns(columns: number): number {
  return RESULT_COLUMNS.find(([from]) => columns >= from)?.[1] ?? 0
}

function layoutOf({ columns, feed }: ListLinesOptions, time: number) {
  const ofTargets = Math.max(0, feed.targets.length - 1) * TARGET_COLUMNS
  const free = Math.max(
    MIN_TYPE_COLUMNS,
    columns - 4 - time - (feed.targets.length === 0 ? 0 : resultColumns(columns) + ofTargets),
  )
  const room = Math.max(free - COMMON_TYPE_COLUMNS - 1, Math.floor(free * MIN_SUMMARY_SHARE))
  const summary = Math.min(MAX_SUMMARY_COLUMNS, room)
  const type = Math.min(MAX_TYPE_COLUMNS, free - summary - 1)
  return type < MIN_TYPE_COLUMNS ? { time, type: free, summary: 0 } : { time, type, summary }
}

function rowLine(row: ListedEvent, layout: ReturnType<typeof layoutOf>, options: ListLinesOptions): Line {
  const { selected, columns, feed, ui, nowMs } = options
  const { event } = row
  const isSelected = row === selected
  const summary = formatEventSummary(getEventObjectSummary(event, feed.names), layout.summary)
  const line = underlineMatches(
    [
      createSpan(isSelected ? '› ' : '  '),
      createSpan(`${fitColumn(formatEventTime(event.created, nowMs), layout.time)}  `, { isDim: true }),
      createSpan(fitType(createUntrustedSpan(event.type).text, layout.type)),
      createSpan(layout.summary === 0 ? ' ' : ` ${fitColumn(summary, layout.summary)} `),
      ...resultSpans(row, options),
    ],
    ui.filter.search,
  )
  return isSelected ? styleSelectedLine(line, columns) : line
}

/** Cuts a long type before its last word, because many types differ only in their last word. */
function fitType(type: string, width: number): string {
  const verb = type.slice(type.lastIndexOf('.'))
  const start = Math.max(MIN_TYPE_START, width - verb.length)
  return fitColumn(
    type.length <= width ? type : truncateWithEllipsis(type.slice(0, -verb.length), start) + verb,
    width,
  )
}

/** Returns the status of each target and the details of a failed attempt, or otherwise of the latest attempt. */
function resultSpans(row: ListedEvent, { feed, columns, retries, nowMs }: ListLinesOptions): Span[] {
  const statuses = feed.targets.flatMap((target) => [statusSpan(row, target), createSpan(' ')])
  const last = row.deliveries.at(-1)
  if (last === undefined) return statuses
  const failed = feed.targets
    .flatMap(({ webhook_endpoint }) => findLatestDelivery(row, webhook_endpoint) ?? [])
    .find(({ error }) => error !== null)
  const retry = failed && retries.get(getRetryMapKey(row.event.id, failed.webhook_endpoint))
  const { attempt, trigger } = failed ?? last
  const label = `${trigger === 'manual' ? 'resend' : 'attempt'} ${attempt}`
  const isWide = resultColumns(columns) === resultColumns(Number.POSITIVE_INFINITY)
  if (retry !== undefined) {
    const text = formatRetry(retry, nowMs)
    return [...statuses, createSpan(isWide ? `${label}, ${text}` : text, { color: 'yellow' })]
  }
  if (failed) return [...statuses, createSpan(label, { color: 'red' })]
  const isFirst = last.attempt === 1 && last.trigger === 'automatic'
  if (isFirst) return [...statuses, createSpan(`${last.duration_ms} ms`, { isDim: true })]
  const isNarrow = resultColumns(columns) === resultColumns(0)
  return [...statuses, createSpan(isNarrow ? label : `${last.duration_ms} ms ${label}`, { isDim: true })]
}

function statusSpan(row: ListedEvent, { webhook_endpoint }: ListenTarget): Span {
  const delivery = findLatestDelivery(row, webhook_endpoint)
  if (delivery === null) return createSpan(' · ', { isDim: true })
  const { error, http_status } = delivery
  if (error === null) return createSpan(String(http_status ?? 'ok'), { color: 'green' })
  return createUntrustedSpan(String(http_status ?? error), { color: 'red' })
}

/** Returns the line above the rows of a group. */
function headingLine(row: ListedEvent, { rows, ui, feed, columns, nowMs }: ListLinesOptions): Line {
  const key = getGroupKey(row, ui.grouping)
  const count = rows.filter((one) => getGroupKey(one, ui.grouping) === key).length
  const suffix = `  ${count} ${count === 1 ? 'event' : 'events'}`
  const isWithoutRequest = ui.grouping === 'request' && row.event.request === null
  const name = isWithoutRequest ? `no request, ${formatEventTime(row.event.created, nowMs)}` : key
  const head = createUntrustedSpan(`▾ ${name}  `).text
  const room = columns - getDisplayWidth(head) - suffix.length
  const summary = getEventObjectSummary(row.event, feed.names)
  const about = ui.grouping === 'object' ? formatEventSummary(summary, Math.max(0, room), false) : ''
  return [createSpan(head, { isBold: true }), createSpan(about), createSpan(suffix, { isDim: true })]
}
