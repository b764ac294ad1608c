import { isFields } from '../../client/fields.ts'
import type { Style } from './style.ts'
import { amountIn, momentIn, onOneLine, plainText } from './values.ts'

const MAX_DEPTH = 8

type Row = readonly [path: string, text: string]

interface Place {
  readonly path: string
  readonly currency: string | null
  readonly depth: number
}

/** An object as lines of path and value, with amounts and moments also as people write them. */
export function viewObject(value: object, style: Style): string {
  const rows = rowsOf(value, { path: '', currency: null, depth: 0 })
  const width = Math.max(...rows.map(([path]) => path.length))
  return rows.map(([path, text]) => `${style.dim(path.padEnd(width))}  ${text}\n`).join('')
}

function rowsOf(value: object, place: Place): Row[] {
  const own = isFields(value) && typeof value['currency'] === 'string' ? value['currency'] : place.currency
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = onOneLine(key)
    const path = pathOf(place.path, name, Array.isArray(value))
    return valueRows(inner, name, { path, currency: own, depth: place.depth + 1 })
  })
}

function pathOf(before: string, name: string, isIndex: boolean): string {
  if (isIndex) return `${before}[${name}]`
  return before === '' ? name : `${before}.${name}`
}

function valueRows(value: unknown, name: string, place: Place): Row[] {
  if (typeof value !== 'object' || value === null) return [[place.path, scalar(name, value, place.currency)]]
  const values = Object.values(value)
  if (values.length === 0) return [[place.path, '-']]
  const isFlat = Array.isArray(value) && values.every((one) => typeof one !== 'object' || one === null)
  if (isFlat) return [[place.path, values.map(plainText).join(', ')]]
  if (place.depth >= MAX_DEPTH) return [[place.path, plainText(value)]]
  return rowsOf(value, place)
}

function scalar(name: string, value: unknown, currency: string | null): string {
  const words = amountIn(name, value, currency) ?? momentIn(name, value)
  return words === null ? plainText(value) : `${plainText(value)} (${words})`
}
