import type { ListenTarget } from '../client/listen-records.ts'
import { latestAt, type Row } from './model.ts'
import { column, foreign, type Line, own, type Span } from './spans.ts'

const TYPE_COLUMNS = 34
/** Below this a type says nothing any more. */
const LEAST_TYPE_COLUMNS = 12
const LEAST_FIGURES = 18
const ID_COLUMNS = 14
const NARROW = 70

/** What a list is made of: the rows that are left, the marked one, and where events go. */
export interface ListSubject {
  readonly rows: readonly Row[]
  readonly marked: Row | null
  readonly targets: readonly ListenTarget[]
  readonly columns: number
  readonly height: number
}

/** The rows that fit, the marked one among them. */
export function listLines({ rows, marked, targets, columns, height }: ListSubject): Line[] {
  const at = marked === null ? rows.length - 1 : rows.indexOf(marked)
  const end = Math.min(rows.length, Math.max(height, at + Math.ceil(height / 2)))
  const shown = rows.slice(Math.max(0, end - height), end)
  return shown.map((row) => rowLine(row, { isMarked: row === marked, targets, columns }))
}

interface RowStyle {
  readonly isMarked: boolean
  readonly targets: readonly ListenTarget[]
  readonly columns: number
}

function rowLine(row: Row, { isMarked, targets, columns }: RowStyle): Line {
  const { event, atMs } = row
  const last = row.deliveries.at(-1)
  const typeColumns = Math.min(TYPE_COLUMNS, Math.max(LEAST_TYPE_COLUMNS, columns - 12 - LEAST_FIGURES))
  const idColumns = columns < NARROW ? 0 : columns >= 110 ? event.id.length + 1 : ID_COLUMNS
  const figures = last === undefined ? '' : `${last.duration_ms} ms ${numberOf(last)}`
  const line: Span[] = [
    own(isMarked ? '› ' : '  ', { isBold: isMarked }),
    own(`${timeOf(atMs)}  `, { isDim: true }),
    foreign(column(event.type, typeColumns), { isBold: isMarked }),
    foreign(idColumns === 0 ? '' : column(event.id, idColumns), { isDim: true }),
    own(' '),
    ...targets.flatMap((target) => [statusSpan(row, target), own(' ')]),
    own(figures, { isDim: true }),
  ]
  return isMarked ? line.map((span) => ({ ...span, isInverse: true, isDim: false })) : line
}

function numberOf({ attempt, trigger }: { readonly attempt: number; readonly trigger: string }): string {
  return trigger === 'manual' ? `↻${attempt}` : `#${attempt}`
}

function statusSpan(row: Row, { webhook_endpoint }: ListenTarget): Span {
  const delivery = latestAt(row, webhook_endpoint)
  if (delivery === null) return own(' · ', { isDim: true })
  const { error, http_status } = delivery
  if (error === null) return own(String(http_status ?? 'ok'), { color: 'green' })
  return foreign(String(http_status ?? error), { color: 'red' })
}

/** Local time to the second. */
function timeOf(ms: number): string {
  const date = new Date(ms)
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}
