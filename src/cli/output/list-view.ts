import { type Fields, isFields } from '../../client/fields.ts'
import type { Style } from './style.ts'
import { amountIn, momentIn, plainText } from './values.ts'

const WHY = 'decline_code|failure_code'

/** Columns of the table of each kind of object, as paths or the first of several that is not null; the last name of a path heads its column. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  customer: ['id', 'email', 'name', 'created'],
  checkout_session: ['id', 'status', 'payment_status', 'amount_total', 'customer', 'created'],
  payment_session: ['id', 'status', 'amount', 'customer', 'created'],
  payment: ['id', 'status', 'amount', WHY, 'customer', 'created'],
  payment_method: ['id', 'card.brand', 'card.last4', 'card.test_behavior', 'created'],
  subscription: ['id', 'status', 'interval', 'customer', 'current_period_end'],
  invoice: ['id', 'number', 'status', 'total', 'customer', 'created'],
  refund: ['id', 'status', 'amount', 'reason', 'payment', 'created'],
  test_clock: ['id', 'name', 'status', 'frozen_time', 'created'],
  event: ['id', 'type', 'data.object.id', 'created'],
  webhook_endpoint: ['id', 'status', 'url', 'enabled_events'],
  api_key: ['id', 'name', 'kind', 'last4', 'status', 'expires_at', 'last_used_at'],
  request_log: ['id', 'created', 'method', 'path', 'status', 'error.code', 'duration_ms'],
  webhook_delivery: ['id', 'status', 'attempt', 'http_status', 'event', 'webhook_endpoint', 'created'],
}
const HEADS: Readonly<Record<string, string>> = {
  'data.object.id': 'object',
  'error.code': 'error',
  [WHY]: 'why',
}
const DEFAULT_COLUMNS = ['id', 'object', 'created']

export interface ListPage {
  readonly data: readonly Fields[]
  readonly has_more: boolean
}

/** The page of a list that an answer is, or null when it is something else. */
export function asListPage(value: unknown): ListPage | null {
  if (!isFields(value) || value['object'] !== 'list' || !Array.isArray(value['data'])) return null
  return { data: value['data'].filter(isFields), has_more: value['has_more'] === true }
}

/** A list as a table with the columns of its kind of object; nothing for an empty list. */
export function viewList({ data }: ListPage, style: Style): string {
  const [first] = data
  if (first === undefined) return ''
  const columns = COLUMNS[String(first['object'])] ?? DEFAULT_COLUMNS
  const rows = data.map((row) => columns.map((column) => cell(row, column)))
  const head = columns.map((column) => headOf(column))
  const widths = head.map((name, index) =>
    Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd()
  return [style.bold(line(head)), ...rows.map(line)].map((text) => `${text}\n`).join('')
}

function headOf(column: string): string {
  return HEADS[column] ?? (column.split('.').at(-1) ?? column).replaceAll('_', ' ')
}

function cell(row: Fields, column: string): string {
  const values = column.split('|').map((path) => valueAt(row, path))
  const value = values.find((one) => one !== null && one !== undefined)
  const currency = typeof row['currency'] === 'string' ? row['currency'] : null
  if (Array.isArray(value)) return value.map(plainText).join(', ')
  return amountIn(column, value, currency) ?? momentIn(column, value) ?? plainText(value)
}

function valueAt(row: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (isFields(at) ? at[name] : undefined), row)
}
