import type { ListenTarget } from '../client/listen-records.ts'
import { type EventRow, latestDelivery } from './event-feed.ts'
import { fitColumn, type Line, type Span, span, untrustedSpan } from './spans.ts'

const TYPE_COLUMNS = 34
/** A shorter type column would cut most types beyond recognition. */
const MIN_TYPE_COLUMNS = 12
const RESULT_COLUMNS = 18
const ID_COLUMNS = 14
const NARROW_COLUMNS = 70

/** The filtered rows, the selected one of them, the targets, and the space for the list. */
export interface ListLinesOptions {
  readonly rows: readonly EventRow[]
  readonly selected: EventRow | null
  readonly targets: readonly ListenTarget[]
  readonly columns: number
  readonly height: number
}

/** Returns the lines of the rows that fit, including the selected one. */
export function listLines(options: ListLinesOptions): Line[] {
  const { rows, selected, height } = options
  const at = selected === null ? rows.length - 1 : rows.indexOf(selected)
  const end = Math.min(rows.length, Math.max(height, at + Math.ceil(height / 2)))
  return rows.slice(Math.max(0, end - height), end).map((row) => rowLine(row, options))
}

function rowLine(row: EventRow, { selected, targets, columns }: ListLinesOptions): Line {
  const { event, receivedAtMs } = row
  const isSelected = row === selected
  const last = row.deliveries.at(-1)
  const typeColumns = Math.min(TYPE_COLUMNS, Math.max(MIN_TYPE_COLUMNS, columns - 12 - RESULT_COLUMNS))
  const idColumns = columns < NARROW_COLUMNS ? 0 : columns >= 110 ? event.id.length + 1 : ID_COLUMNS
  const result = last && `${last.duration_ms} ms ${last.trigger === 'manual' ? '↻' : '#'}${last.attempt}`
  const line: Span[] = [
    span(isSelected ? '› ' : '  ', { isBold: isSelected }),
    span(`${new Date(receivedAtMs).toTimeString().slice(0, 8)}  `, { isDim: true }),
    untrustedSpan(fitColumn(event.type, typeColumns), { isBold: isSelected }),
    untrustedSpan(idColumns === 0 ? '' : fitColumn(event.id, idColumns), { isDim: true }),
    span(' '),
    ...targets.flatMap((target) => [statusSpan(row, target), span(' ')]),
    span(result ?? '', { isDim: true }),
  ]
  return isSelected ? line.map((one) => ({ ...one, isInverse: true, isDim: false })) : line
}

function statusSpan(row: EventRow, { webhook_endpoint }: ListenTarget): Span {
  const delivery = latestDelivery(row, webhook_endpoint)
  if (delivery === null) return span(' · ', { isDim: true })
  const { error, http_status } = delivery
  if (error === null) return span(String(http_status ?? 'ok'), { color: 'green' })
  return untrustedSpan(String(http_status ?? error), { color: 'red' })
}
