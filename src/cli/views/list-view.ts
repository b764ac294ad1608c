import { findResourceByObjectName } from '../../api/resources/catalog.ts'
import type { JsonObject } from '../../domain/core/json-object.ts'
import { isAmountField } from '../../domain/text/field-names.ts'
import { findPageUrl } from '../../presentation/field-values.ts'
import { toSingleLine } from '../output/format-values.ts'
import { createFieldCell, getDisplayField } from './format-field.ts'
import { type Cell, formatTable, type TextColumn } from './table.ts'
import type { RenderedText, ViewOptions } from './view-options.ts'

/** Column headings by path (default: the names of the fields that have a value). */
const HEADINGS: Readonly<Record<string, string>> = {
  'data.object.id': 'object',
  'error.code': 'error',
  'amount_captured|amount': 'amount',
  'decline_code|failure_code': 'why',
  'http_status|error': 'response',
  webhook_endpoint: 'endpoint',
}
const DEFAULT_COLUMNS = ['id', 'object', 'created']

/** Formats a list as a table with the columns of its resource; an empty string for an empty list. */
export function formatList(data: readonly JsonObject[], view: ViewOptions): RenderedText {
  const [first] = data
  if (first === undefined) return { text: '', isWhole: true }
  const columns = findResourceByObjectName(first['object'])?.columns ?? DEFAULT_COLUMNS
  return formatRows(data, columns, view)
}

/** Formats objects as a table with the given columns, sorted by importance. */
export function formatRows(
  rows: readonly JsonObject[],
  paths: readonly string[],
  view: ViewOptions,
): RenderedText {
  const { lines, isWhole } = formatObjectTable(rows, paths, view)
  return { text: `${lines.join('\n')}\n`, isWhole }
}

/** Returns the lines of a table of objects. */
export function formatObjectTable(rows: readonly JsonObject[], paths: readonly string[], view: ViewOptions) {
  const columns = paths.map((path, index) => toColumn(rows, path, index === 0, view))
  return formatTable(columns, { bold: view.style.bold, width: view.isWide ? Infinity : view.width })
}

function toColumn(
  rows: readonly JsonObject[],
  path: string,
  isFirst: boolean,
  view: ViewOptions,
): TextColumn {
  const fields = rows.map((row) => getDisplayField(row, path))
  const cells = fields.map((field) => createFieldCell(field, view))
  const filled = fields.filter(({ value }) => value !== undefined)
  const isNumeric = filled.length > 0 && filled.every(({ value }) => typeof value === 'number')
  const isAmount = isNumeric && filled.some(({ name }) => isAmountField(name))
  const names = new Set((filled.length > 0 ? filled : fields).map(({ name }) => name))
  return {
    heading: HEADINGS[path] ?? toSingleLine([...names].join('/')).replaceAll('_', ' '),
    isRightAligned: isAmount || /(?:^|_)(?:ms|bytes)$/.test(path),
    cells: isFirst ? cells.map((cell, row) => linkToPage(rows[row] ?? {}, cell, view)) : cells,
  }
}

function linkToPage(row: JsonObject, cell: Cell, { link }: ViewOptions): Cell {
  const url = findPageUrl(row)
  return url === null ? cell : { text: cell.text, paint: (text) => link(text, url) }
}
