import type { JsonObject } from '../../domain/core/json-object.ts'
import type { Event } from '../../domain/events/events.ts'
import { getDisplayWidth } from '../../domain/text/display-width.ts'
import { toIsoTimestamp } from '../../domain/text/format-timestamp.ts'
import { isRedundantChange } from '../../presentation/event-changes.ts'
import {
  findCurrency,
  findFieldValue,
  formatCompositeField,
  formatSubscriptionItem,
  getFieldName,
} from '../../presentation/field-values.ts'
import { listIdentityPaths } from '../../presentation/identity-fields.ts'
import type { FieldChange } from '../../presentation/json-diff.ts'
import { formatCompactField, formatValue } from '../output/format-values.ts'
import { canWrapWholeWords, wrapCommaList } from '../output/text-layout.ts'
import { alignColumns } from '../views/columns.ts'
import { shortenIds } from '../views/short-ids.ts'
import type { RenderedText, ViewOptions } from '../views/view-options.ts'
import { toTimelineEntry } from './timeline-entries.ts'

const INDENT = '  '
/**
 * Indentation of the changes if the space beside the id is too small for them or for a long word, such as an address.
 */
const BELOW_INDENT = 12
const MIN_CHANGE_COLUMNS = 40

type TimelineRow = ReturnType<typeof toRow> & { readonly event: string; readonly delivery: string }

/**
 * Formats a timeline: a line per event, grouped by UTC day. Ids are shortened when there is little space for changes. With
 * `deliveries`, the id of each event and the result of its deliveries follow its changes.
 */
export function formatTimeline(
  events: readonly Event[],
  { style, width, isWide }: Pick<ViewOptions, 'style' | 'width' | 'isWide'>,
  deliveries?: ReadonlyMap<string, string>,
): RenderedText {
  const lineWidth = isWide ? Infinity : width
  const full = events.map((event, index) => ({
    ...toRow(event, events[index - 1]),
    event: deliveries === undefined ? '' : event.id,
    delivery: deliveries?.get(event.id) ?? '',
  }))
  const rows = lineWidth - besideWidth(full) < MIN_CHANGE_COLUMNS ? withShortIds(full) : full
  const beside = besideWidth(rows)
  const isUncutAt = (indent: number) =>
    rows.flatMap(textsOf).every((text) => canWrapWholeWords(text, lineWidth - indent))
  const isNarrow = lineWidth - beside < MIN_CHANGE_COLUMNS || !isUncutAt(beside)
  const indent = isNarrow ? BELOW_INDENT : beside
  const table = alignColumns(rows.map(({ cells }) => cells))
  const lines = rows.flatMap((row, index) => {
    const [time = '', ...others] = table[index] ?? []
    const texts = wrapCommaList(textsOf(row), lineWidth - indent)
    const [first = '', ...more] = isNarrow ? ['', ...texts] : texts
    return [
      ...(row.day === rows[index - 1]?.day ? [] : [style.bold(row.day)]),
      `${INDENT}${style.dim(time)}  ${others.join('  ')}  ${first}`.trimEnd(),
      ...more.map((text) => ' '.repeat(indent) + text),
    ]
  })
  return { text: lines.map((line) => `${line}\n`).join(''), isWhole: rows === full && isUncutAt(indent) }
}

function textsOf({ changes, request, event, delivery }: TimelineRow): readonly string[] {
  const delivered = `${formatValue(event)} ${delivery}`.trim()
  return [...changes, request === null ? '' : `by ${request}`, delivered].filter((text) => text !== '')
}

/** Returns the width of the columns before the changes. */
function besideWidth(rows: readonly TimelineRow[]): number {
  const [cells = []] = alignColumns(rows.map((row) => row.cells))
  return cells.reduce((sum, cell) => sum + getDisplayWidth(cell) + 2, INDENT.length)
}

function withShortIds(rows: readonly TimelineRow[]): readonly TimelineRow[] {
  const ids = shortenIds(rows.flatMap(({ cells, request, event }) => [cells[2], request ?? '', event]))
  if (ids === null) return rows
  return rows.map((row, index) => ({
    ...row,
    cells: [row.cells[0], row.cells[1], ids[3 * index] ?? ''],
    request: row.request === null ? null : (ids[3 * index + 1] ?? ''),
    event: ids[3 * index + 2] ?? '',
  }))
}

function toRow(event: Event, previous: Event | undefined) {
  const { time, type, object, request, changes } = toTimelineEntry(event)
  const [day = '', clockTime = ''] = (toIsoTimestamp(time) ?? `${time}T`).replace('Z', '').split('T')
  return {
    day,
    cells: [clockTime, formatValue(type), formatValue(object)] as const,
    changes: formatChanges(event, changes),
    // Consecutive events with the same request show the request once.
    request: request === null || request === previous?.request?.id ? null : formatValue(request),
  }
}

function formatChanges(event: Event, changes: readonly FieldChange[]): string[] {
  const object: JsonObject = { ...event.data.object }
  const currency = findCurrency(object)
  if (event.data.previous_attributes === undefined)
    return ['status', ...listIdentityPaths(object)].flatMap((path) => {
      const [name, value] = [getFieldName(object, path), findFieldValue(object, path)]
      return value === undefined
        ? []
        : [formatCompactField(name, formatCompositeField(name, value) ?? value, currency)]
    })
  const others = changes.filter((change) => !isRedundantChange(change, event))
  // Show a redundant change if an update has no other change.
  const isOnlyRedundant = others.length === 0 && event.type.endsWith('.updated')
  return (isOnlyRedundant ? changes : others).map((change) => {
    const { from, to } = change
    // Omit the inner names of a path to shorten the line.
    const field = change.field.replace(/\..*\./s, '.')
    const [before, after] =
      formatItemChange(field, from, to) ??
      [from, to].map((value) => (value == null ? 'not set' : formatCompactField(field, value, currency)))
    return `${formatValue(field)} ${before} -> ${after}`
  })
}

/**
 * Formats both sides of a change of `items` of a subscription. Each side has only the items that differ, such as
 * `Seat 3 × 15.00 EUR`, or `-` if no item differs. Returns null for other fields and for changes that item descriptions
 * do not show.
 */
function formatItemChange(
  field: string,
  from: unknown,
  to: unknown,
): readonly [before: string, after: string] | null {
  if (field !== 'items' || !Array.isArray(from) || !Array.isArray(to)) return null
  const before = formatItems(from, to)
  const after = formatItems(to, from)
  return before === after ? null : [before, after]
}

function formatItems(items: readonly unknown[], others: readonly unknown[]): string {
  const same = new Set(others.map((item) => JSON.stringify(item)))
  const changed = items.filter((item) => !same.has(JSON.stringify(item)))
  return changed.map((item) => formatValue(formatSubscriptionItem(item))).join(' and ') || '-'
}
