import type { FieldChange } from '../../client/json-diff.ts'
import type { JsonObject } from '../../client/json-object.ts'
import type { Event } from '../../domain/events.ts'
import { toIsoTimestamp } from '../../domain/format-timestamp.ts'
import { wrapList } from '../../domain/wrap-words.ts'
import { alignColumns } from '../output/columns.ts'
import { fieldAt, formatCompact, formatTimestampField, formatValue } from '../output/format-values.ts'
import type { Style } from '../output/style.ts'
import { type TimelineEntry, toTimelineEntry } from './timeline-entries.ts'

/** Fields that repeat other fields or other events. */
const REDUNDANT_FIELDS =
  /^(?:outcome\..*|failure_message|last_payment_error\.message|next_action\.type|attempted|auto_advance|refunded|period_index|amount_remaining|latest_invoice|latest_payment|subscription|invoice|payment|payment_method)$/

/** Fields that describe a new object, per object type. Fields in one text are shown together; null values are omitted. */
const DESCRIPTIVE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  customer: ['email'],
  checkout_session: ['amount_total'],
  payment_session: ['amount'],
  payment_method: ['card.brand card.last4', 'card.test_behavior'],
  subscription: ['status', 'description'],
  invoice: ['status', 'total'],
  payment: ['amount', 'payment_method_details.card.brand payment_method_details.card.last4'],
  refund: ['status', 'amount', 'reason'],
  test_clock: ['name'],
}

const INDENT = '  '
/** Indentation of the changes below the id, when there is too little space beside it. */
const BELOW_INDENT = 12
const MIN_CHANGE_COLUMNS = 40

interface TimelineRow {
  readonly entry: TimelineEntry
  readonly day: string
  readonly cells: readonly [time: string, type: string, id: string]
  readonly changes: readonly string[]
}

/** Formats a timeline: a line per event, grouped by UTC day, for a terminal of `width` columns. */
export function formatTimeline(events: readonly Event[], style: Style, width: number): string {
  const rows = events.map(toRow)
  const table = alignColumns(rows.map(({ cells }) => cells))
  const beside = INDENT.length + (table[0] ?? []).reduce((sum, cell) => sum + cell.length + 2, 0)
  const isNarrow = width - beside < MIN_CHANGE_COLUMNS
  const indent = isNarrow ? BELOW_INDENT : beside
  return rows
    .map(({ entry, day, changes }, index) => {
      const previous = rows[index - 1]
      const isNewRequest = entry.request !== null && entry.request !== previous?.entry.request
      const words = isNewRequest ? [...changes, `by ${formatValue(entry.request)}`] : changes
      const text = wrapList(words, indent, width)
      const [time = '', ...others] = table[index] ?? []
      const head = `${INDENT}${style.dim(time)}  ${others.join('  ')}`.trimEnd()
      const body = isNarrow && text !== '' ? `\n${' '.repeat(BELOW_INDENT)}${text}` : `  ${text}`
      return `${day === previous?.day ? '' : `${style.bold(day)}\n`}${`${head}${body}`.trimEnd()}\n`
    })
    .join('')
}

function toRow(event: Event): TimelineRow {
  const entry = toTimelineEntry(event)
  const [day = '', time = ''] = (toIsoTimestamp(entry.time) ?? `${entry.time}T`).replace('Z', '').split('T')
  return {
    entry,
    day,
    cells: [time, formatValue(entry.type), formatValue(entry.object)],
    changes: formatChanges(event, entry.changes),
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
      const [before, after] = [from, to].map((value) => formatCompact(field, value, currency))
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
