import { isJsonObject } from '../../domain/core/json-object.ts'
import { formatAmountField } from '../../presentation/field-values.ts'
import { formatTimestampField, formatValue, toSingleLine } from '../output/format-values.ts'
import type { Style } from '../output/style.ts'
import { alignColumns } from './columns.ts'

const MAX_DEPTH = 8

type Row = readonly [path: string, text: string]

interface FieldContext {
  readonly path: string
  readonly currency: string | null
  readonly depth: number
}

/** Renders an object as lines of path and value. Amounts and timestamps are also shown in readable form. */
export function formatPathValueLines(value: object, style: Style): string {
  const rows = rowsOf(value, { path: '', currency: null, depth: 0 })
  const paths = alignColumns(rows.map(([path]) => [path]))
  return rows.map(([, text], index) => `${style.dim(paths[index]?.[0] ?? '')}  ${text}\n`).join('')
}

function rowsOf(value: object, context: FieldContext): Row[] {
  const currency =
    isJsonObject(value) && typeof value['currency'] === 'string' ? value['currency'] : context.currency
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = toSingleLine(key)
    const path = pathOf(context.path, name, Array.isArray(value))
    return valueRows(inner, name, { path, currency, depth: context.depth + 1 })
  })
}

function pathOf(before: string, name: string, isIndex: boolean): string {
  if (isIndex) return `${before}[${name}]`
  return before === '' ? name : `${before}.${name}`
}

function valueRows(value: unknown, name: string, context: FieldContext): Row[] {
  if (typeof value !== 'object' || value === null)
    return [[context.path, formatScalar(name, value, context.currency)]]
  const values = Object.values(value)
  if (values.length === 0) return [[context.path, '-']]
  const isFlat = Array.isArray(value) && values.every((one) => typeof one !== 'object' || one === null)
  if (isFlat) return [[context.path, values.map(formatValue).join(', ')]]
  if (context.depth >= MAX_DEPTH) return [[context.path, formatValue(value)]]
  return rowsOf(value, context)
}

function formatScalar(name: string, value: unknown, currency: string | null): string {
  const readable = formatAmountField(name, value, currency) ?? formatTimestampField(name, value)
  return readable === null ? formatValue(value) : `${formatValue(value)} (${readable})`
}
