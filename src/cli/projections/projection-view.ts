import type { JsonObject } from '../../domain/core/json-object.ts'
import type { ProjectedEvent, Projection } from '../../domain/reports/projections.ts'
import { toIsoTimestamp } from '../../domain/text/format-timestamp.ts'
import { getEventTypeOutcome } from '../../presentation/event-outcomes.ts'
import { findFieldValue, formatAmountAtPath } from '../../presentation/field-values.ts'
import { formatCompactField, formatValue } from '../output/format-values.ts'
import { createColumn, renderTable } from '../views/table.ts'
import type { RenderedText, ViewOptions } from '../views/view-options.ts'

/** The amount fields of objects. The first field with a value is shown. */
const AMOUNT_PATH = 'amount_due|amount_total|amount'
/** The fields that explain an event, by its type; null values are omitted. */
const DETAILS: Readonly<Record<string, readonly string[]>> = {
  'invoice.payment_failed': ['next_payment_attempt'],
  'payment.failed': ['decline_code'],
  'payment.canceled': ['canceled_reason'],
  'refund.failed': ['failure_reason'],
  'dispute.closed': ['status'],
  'subscription.renewed': ['current_period_end'],
  'subscription.started': ['current_period_end'],
  'subscription.canceled': ['cancellation_reason'],
  'subscription.trial_will_end': ['trial_end'],
}
/** The label that precedes the value of a field. Fields that are not listed have no label. */
const LABELS: Readonly<Record<string, string>> = {
  next_payment_attempt: 'retry',
  current_period_end: 'until',
  trial_end: 'ends',
}

const SECONDS = /(\d\d:\d\d):\d\d$/

/** Formats a projection as a table with one line per event; a time is shown once for all of its events. */
export function formatProjection(
  { data }: Projection,
  view: Pick<ViewOptions, 'style' | 'width' | 'isWide'>,
): RenderedText {
  const { style, isWide } = view
  if (data.length === 0) return { text: '', isWhole: true }
  const withoutSeconds = (text: string) => (isWide ? text : text.replace(SECONDS, '$1'))
  const column = (heading: string, textOf: (event: ProjectedEvent, index: number) => string) =>
    createColumn(heading, data, (event, index) => withoutSeconds(textOf(event, index)), heading === 'amount')
  const paints = { good: style.green, bad: style.red, neutral: (text: string) => text }
  const columns = [
    column('time', ({ created }, index) => (data[index - 1]?.created === created ? '' : timeOf(created))),
    createColumn('event', data, ({ type }) => ({ text: type, paint: paints[getEventTypeOutcome(type)] })),
    column('amount', ({ data: { object } }) => formatAmountAtPath({ ...object }, AMOUNT_PATH) ?? ''),
    column('detail', detailOf),
    column('object', ({ data: { object } }) => formatValue(object.id)),
  ]
  return renderTable(columns, view)
}

function timeOf(created: number): string {
  return (toIsoTimestamp(created) ?? `${created}`).replace('T', ' ').replace(/(?::00)?Z$/, '')
}

function detailOf({ type, data }: ProjectedEvent): string {
  const object: JsonObject = { ...data.object }
  const shown = (DETAILS[type] ?? []).flatMap((name) => {
    const value = findFieldValue(object, name)
    if (value === undefined) return []
    const text = formatCompactField(name, value, null)
    const label = LABELS[name]
    return label === undefined ? [text] : [`${label} ${text}`]
  })
  return shown.join(', ')
}

/** Returns the note below a projection if more events follow or no event exists, or null. */
export function formatProjectionNote({
  data,
  has_more,
  until,
  subscription,
  test_clock,
}: Projection): string | null {
  if (has_more) return 'More events follow. Use a larger --limit, or advance the clock and try again.'
  if (data.length > 0) return null
  return `Nothing will happen to ${subscription ?? test_clock} until ${timeOf(until)} UTC.`
}
