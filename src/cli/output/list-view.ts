import { resourceOfObject } from '../../api/resources/catalog.ts'
import { isJsonObject, type JsonObject } from '../../client/json-object.ts'
import { alignColumns } from './columns.ts'
import { fieldAt, formatAmountField, formatTimestampField, formatValue } from './format-values.ts'
import type { Style } from './style.ts'

/** Headings of columns that are not the last name of their path. */
const HEADINGS: Readonly<Record<string, string>> = {
  'data.object.id': 'object',
  'error.code': 'error',
  'decline_code|failure_code': 'why',
}
const DEFAULT_COLUMNS = ['id', 'object', 'created']

export interface ListResponse {
  readonly data: readonly JsonObject[]
  readonly has_more: boolean
}

/** Returns a response as a page of a list, or null when it is no list. */
export function toListResponse(value: unknown): ListResponse | null {
  if (!isJsonObject(value) || value['object'] !== 'list' || !Array.isArray(value['data'])) return null
  return { data: value['data'].filter(isJsonObject), has_more: value['has_more'] === true }
}

/** Returns a list as a table with the columns of its resource; an empty text for an empty list. */
export function formatList({ data }: ListResponse, style: Style): string {
  const [first] = data
  if (first === undefined) return ''
  const columns = resourceOfObject(first['object'])?.columns ?? DEFAULT_COLUMNS
  const rows = [columns.map(headingOf), ...data.map((row) => columns.map((column) => cell(row, column)))]
  const [head = '', ...lines] = alignColumns(rows).map((cells) => cells.join('  ').trimEnd())
  return [style.bold(head), ...lines].map((line) => `${line}\n`).join('')
}

function headingOf(column: string): string {
  return HEADINGS[column] ?? (column.split('.').at(-1) ?? column).replaceAll('_', ' ')
}

function cell(row: JsonObject, column: string): string {
  const values = column.split('|').map((path) => fieldAt(row, path))
  const value = values.find((one) => one !== null && one !== undefined)
  const currency = typeof row['currency'] === 'string' ? row['currency'] : null
  if (Array.isArray(value)) return value.map(formatValue).join(', ')
  return (
    formatAmountField(column, value, currency) ?? formatTimestampField(column, value) ?? formatValue(value)
  )
}
