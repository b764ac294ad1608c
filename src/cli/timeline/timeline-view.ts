import type { FieldChange } from '../../client/json-diff.ts'
import type { JsonObject } from '../../client/json-object.ts'
import type { Event } from '../../domain/events/events.ts'
import { displayWidth } from '../../domain/text/display-width.ts'
import { toIsoTimestamp } from '../../domain/text/format-timestamp.ts'
import { fieldAt, formatCompact, formatTimestampField, formatValue } from '../output/format-values.ts'
import { alignColumns } from '../views/columns.ts'
import { withShortenedIds } from '../views/short-ids.ts'
import { hasShortWords, wrapList } from '../views/text-layout.ts'
import type { View, ViewOptions } from '../views/view-options.ts'
import { formatItemChange } from './item-change.ts'
import { toTimelineEntry } from './timeline-entries.ts'

/** Fields that repeat other fields or other events. */
const REDUNDANT_FIELDS =
  /^(?:outcome\..*|failure_message|last_payment_error\.message|next_action\.type|attempted|auto_advance|refunded|period_index|month_steps_start|amount_remaining|starting_balance|ending_balance|latest_invoice|latest_payment|subscription|invoice|payment|payment_method)$/

/** Fields that describe a new object, per object type. Fields in one text are shown together; null values are omitted. */
const DESCRIPTIVE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  customer: ['email'],
  checkout_session: ['amount_total'],
  payment_session: ['amount'],
  card_session: ['use_for'],
  payment_method: ['card.brand card.last4', 'card.test_behavior'],
  subscription: ['status', 'description'],
  invoice: ['status', 'total'],
  invoice_item: ['total', 'description'],
  payment: ['amount', 'payment_method_details.card.brand payment_method_details.card.last4'],
  refund: ['status', 'amount', 'reason'],
  test_clock: ['name'],
}

const INDENT = '  '
/** Indentation of the changes below the id, when there is too little space beside it for them or for an address. */
const BELOW_INDENT = 12
const MIN_CHANGE_COLUMNS = 40

interface TimelineRow {
  readonly day: string
  readonly cells: readonly [time: string, type: string, id: string]
  readonly changes: readonly string[]
  /** The id of the request, for its first event. */
  readonly request: string | null
}

/** Formats a timeline: a line per event, grouped by UTC day. Ids are shortened when there is little space for changes. */
export function formatTimeline(
  events: readonly Event[],
  { style, width, isWide }: Pick<ViewOptions, 'style' | 'width' | 'isWide'>,
): View {
  const lineWidth = isWide ? Infinity : width
  const full = events.map((event, index) => toRow(event, events[index - 1]))
  const rows = lineWidth - besideWidth(full) < MIN_CHANGE_COLUMNS ? withShortIds(full) : full
  const beside = besideWidth(rows)
  const isUncutAt = (indent: number) =>
    rows.flatMap(textsOf).every((text) => hasShortWords(text, lineWidth - indent))
  const isNarrow = lineWidth - beside < MIN_CHANGE_COLUMNS || !isUncutAt(beside)
  const indent = isNarrow ? BELOW_INDENT : beside
  const table = alignColumns(rows.map(({ cells }) => cells))
  const lines = rows.flatMap((row, index) => {
    const [time = '', ...others] = table[index] ?? []
    const texts = wrapList(textsOf(row), lineWidth - indent)
    const [first = '', ...more] = isNarrow ? ['', ...texts] : texts
    return [
      ...(row.day === rows[index - 1]?.day ? [] : [style.bold(row.day)]),
      `${INDENT}${style.dim(time)}  ${others.join('  ')}  ${first}`.trimEnd(),
      ...more.map((text) => ' '.repeat(indent) + text),
    ]
  })
  return { text: lines.map((line) => `${line}\n`).join(''), isWhole: rows === full && isUncutAt(indent) }
}

function textsOf({ changes, request }: TimelineRow): readonly string[] {
  return request === null ? changes : [...changes, `by ${request}`]
}

/** Returns the width of everything before the changes. */
function besideWidth(rows: readonly TimelineRow[]): number {
  const [cells = []] = alignColumns(rows.map((row) => row.cells))
  return cells.reduce((sum, cell) => sum + displayWidth(cell) + 2, INDENT.length)
}

function withShortIds(rows: readonly TimelineRow[]): readonly TimelineRow[] {
  const ids = withShortenedIds(rows.flatMap(({ cells, request }) => [cells[2], request ?? '']))
  if (ids === null) return rows
  return rows.map(({ day, cells: [time, type], changes, request }, index) => ({
    day,
    cells: [time, type, ids[2 * index] ?? ''],
    changes,
    request: request === null ? null : (ids[2 * index + 1] ?? ''),
  }))
}

function toRow(event: Event, previous: Event | undefined): TimelineRow {
  const { time, type, object, request, changes } = toTimelineEntry(event)
  const [day = '', clockTime = ''] = (toIsoTimestamp(time) ?? `${time}T`).replace('Z', '').split('T')
  return {
    day,
    cells: [clockTime, formatValue(type), formatValue(object)],
    changes: formatChanges(event, changes),
    request: request === null || request === previous?.request?.id ? null : formatValue(request),
  }
}

function formatChanges({ created, data }: Event, changes: readonly FieldChange[]): string[] {
  const object: JsonObject = { ...data.object }
  const currency = typeof object['currency'] === 'string' ? object['currency'] : null
  if (data.previous_attributes === undefined) return describeObject(object, currency)
  const isEventTime = ({ field, to }: FieldChange) =>
    to === created && formatTimestampField(field, to) !== null
  return changes
    .map((change) => ({ ...change, field: shortenPath(change.field) }))
    .filter((change) => !isRedundant(change) && !isEventTime(change))
    .map(({ field, from, to }) => {
      const [before, after] =
        formatItemChange(field, from, to) ?? [from, to].map((value) => formatCompact(field, value, currency))
      return `${formatValue(field)} ${before} -> ${after}`
    })
}

function describeObject(object: JsonObject, currency: string | null): string[] {
  const parts = (DESCRIPTIVE_FIELDS[String(object['object'])] ?? []).map((paths) =>
    paths.split(' ').flatMap((path) => {
      const value = fieldAt(object, path)
      return value === null || value === undefined ? [] : [formatCompact(path, value, currency)]
    }),
  )
  return parts.filter((words) => words.length > 0).map((words) => words.join(' '))
}

// The decline code is more specific than `card_declined`, and the new status implies cleared error and action fields.
function isRedundant({ field, to }: FieldChange): boolean {
  const isCleared = to === null && /^(?:last_payment_error|status_details|next_action)\./.test(field)
  return isCleared || to === 'card_declined' || REDUNDANT_FIELDS.test(field)
}

// First and last part of a path, such as `status_details.target_frozen_time` for `status_details.advancing.target_frozen_time`.
function shortenPath(path: string): string {
  const [first = '', ...inner] = path.split('.')
  return inner.length === 0 ? first : `${first}.${inner.at(-1)}`
}
