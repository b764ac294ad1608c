import { resourceOfObject } from '../../api/resources/catalog.ts'
import type { JsonObject } from '../../client/json-object.ts'
import { formatField, pageUrl } from './format-field.ts'
import { fieldAt, formatAmountField, toSingleLine } from './format-values.ts'
import { type Cell, type Column, formatTable, type Table } from './table.ts'
import type { View, ViewOptions } from './view-options.ts'

/** Column headings by path (default: the last name of the path). */
const HEADINGS: Readonly<Record<string, string>> = {
  'data.object.id': 'object',
  'error.code': 'error',
  'decline_code|failure_code': 'why',
  'http_status|error': 'response',
  webhook_endpoint: 'endpoint',
}
const DEFAULT_COLUMNS = ['id', 'object', 'created']

/** Formats a list as a table with the columns of its resource; an empty text for an empty list. */
export function formatList(data: readonly JsonObject[], view: ViewOptions): View {
  const [first] = data
  if (first === undefined) return { text: '', isWhole: true }
  const columns = resourceOfObject(first['object'])?.columns ?? DEFAULT_COLUMNS
  return formatRows(data, columns, view)
}

/** Formats objects as a table with these columns, the most valuable first. */
export function formatRows(rows: readonly JsonObject[], paths: readonly string[], view: ViewOptions): View {
  const { lines, isWhole } = createTable(rows, paths, view)
  return { text: `${lines.join('\n')}\n`, isWhole }
}

/** Returns the lines of a table of objects. */
export function createTable(rows: readonly JsonObject[], paths: readonly string[], view: ViewOptions): Table {
  const columns = paths.map((path, index) => toColumn(rows, path, index === 0, view))
  return formatTable(columns, { bold: view.style.bold, width: view.isWide ? Infinity : view.width })
}

function toColumn(rows: readonly JsonObject[], path: string, isFirst: boolean, view: ViewOptions): Column {
  const cells = rows.map((row) =>
    isFirst ? linkToPage(row, toCell(row, path, view), view) : toCell(row, path, view),
  )
  const values = rows
    .map((row) => columnValue(row, path))
    .filter((value) => value !== null && value !== undefined)
  const isNumeric = values.length > 0 && values.every((value) => typeof value === 'number')
  const isAmount = isNumeric && formatAmountField(nameOf(path), values[0], 'eur') !== null
  return { heading: headingOf(path), isRightAligned: isAmount || /(?:^|_)(?:ms|bytes)$/.test(path), cells }
}

function headingOf(path: string): string {
  return HEADINGS[path] ?? toSingleLine(path.split('.').at(-1) ?? path).replaceAll('_', ' ')
}

// Alternatives of a column have the same type, so the name of the first one determines the format.
function nameOf(path: string): string {
  const [first = path] = path.split('|')
  return first.split('.').at(-1) ?? first
}

function columnValue(row: JsonObject, path: string): unknown {
  return path
    .split('|')
    .map((one) => fieldAt(row, one))
    .find((one) => one !== null && one !== undefined)
}

function toCell(row: JsonObject, path: string, view: ViewOptions): Cell {
  const currency = typeof row['currency'] === 'string' ? row['currency'] : null
  const isOnTestClock = typeof row['test_clock'] === 'string'
  return formatField({ name: nameOf(path), value: columnValue(row, path), currency, isOnTestClock }, view)
}

function linkToPage(row: JsonObject, cell: Cell, { link }: ViewOptions): Cell {
  const url = pageUrl(row)
  return url === null ? cell : { text: cell.text, paint: (text) => link(text, url) }
}
