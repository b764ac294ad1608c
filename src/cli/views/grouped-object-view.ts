import { isJsonObject, type JsonObject } from '../../domain/core/json-object.ts'
import { getDisplayWidth } from '../../domain/text/display-width.ts'
import { formatTimestampField, formatValue } from '../output/format-values.ts'
import { canWrapWholeWords, wrapText } from '../output/text-layout.ts'
import { createFieldCell, formatRelativeTimeField } from './format-field.ts'
import { formatHeadline } from './headline.ts'
import { formatObjectTable } from './list-view.ts'
import { getResponseFieldPath, groupFields, type ResponseField } from './object-fields.ts'
import { isId } from './short-ids.ts'
import type { Cell } from './table.ts'
import type { RenderedText, ViewOptions } from './view-options.ts'

const INDENT = '  '
const BELOW = '    '
/** The fields that are never cut, because other responses may not contain them. */
const SECRETS: ReadonlySet<string> = new Set(['api_key', 'secret', 'webhook_secret'])

/** Formats an object: a headline, its fields in groups, lists as tables, and the names of the fields without a value. */
export function formatGroupedObject(object: JsonObject, view: ViewOptions): RenderedText {
  const { groups, lists, unset } = groupFields(object)
  const tables = lists.map((list) => formatNestedList(list, view))
  const blocks = [
    formatHeadline(object, view),
    ...groups.map((group) => groupLines(group, view)),
    ...tables.map(({ lines }) => lines),
    unsetLines(unset, view),
  ]
  const longest = view.width - BELOW.length
  const areTextsWhole = groups
    .flat()
    .every((field) => SECRETS.has(field.name) || canWrapWholeWords(fieldCell(field, view).text, longest))
  return {
    text: blocks
      .filter((block) => block.length > 0)
      .map((block) => `${block.join('\n')}\n`)
      .join('\n'),
    isWhole: areTextsWhole && tables.every(({ isWhole }) => isWhole),
  }
}

function groupLines(fields: readonly ResponseField[], view: ViewOptions): string[] {
  const [first] = fields
  const labelWidth = Math.max(...fields.map(({ name }) => getDisplayWidth(name)))
  const rows = fields.flatMap((field) => {
    const label = INDENT + view.style.dim(field.name)
    const [value = '', ...more] = valueLines(field, labelWidth, view)
    const padding = ' '.repeat(labelWidth - getDisplayWidth(field.name) + INDENT.length)
    return [value === '' ? label : label + padding + value, ...more]
  })
  return first === undefined || first.parent === '' ? rows : [view.style.bold(first.parent), ...rows]
}

/** Returns the lines of a value: beside the label if the value fits, else wrapped below the label. */
function valueLines(field: ResponseField, labelWidth: number, view: ViewOptions): string[] {
  const { text, paint } = fieldCell(field, view)
  const { width } = view
  const beside = width - INDENT.length - labelWidth - 2
  if (getDisplayWidth(text) <= beside) return [paint(text)]
  if (SECRETS.has(field.name)) return ['', BELOW + paint(text)]
  return ['', ...wrapText(text, width - BELOW.length).map((line) => BELOW + paint(line))]
}

// Unlike a table cell, the cell also shows the absolute time, and the name that belongs to an id.
function fieldCell(field: ResponseField, view: ViewOptions): Cell {
  const cell = createFieldCell(field, view)
  const time = formatTimestampField(field.name, field.value)
  const addition = time === null ? view.names.get(String(field.value)) : formatRelativeTimeField(field, view)
  const text = time ?? cell.text
  return typeof addition === 'string'
    ? { ...cell, text: `${text}  (${formatValue(addition)})` }
    : { ...cell, text }
}

function formatNestedList(list: ResponseField, view: ViewOptions) {
  const { currency, isOnTestClock, value } = list
  const inherited = { currency, test_clock: isOnTestClock ? 'inherited' : null }
  const items = (Array.isArray(value) ? value : []).filter(isJsonObject)
  const columns = [...new Set(items.flatMap((item) => columnsOf(item)))]
  const isIdColumn = (column: string) => items.some((item) => isId(item[column]))
  const ordered = [...columns.filter((one) => !isIdColumn(one)), ...columns.filter(isIdColumn)]
  const rows = items.map((item) => ({ ...inherited, ...item }))
  const table = formatObjectTable(rows, ordered, { ...view, width: view.width - INDENT.length })
  return {
    lines: [view.style.bold(getResponseFieldPath(list)), ...table.lines.map((line) => INDENT + line)],
    isWhole: table.isWhole,
  }
}

function columnsOf(item: JsonObject, parent = ''): string[] {
  return Object.entries(item).flatMap(([name, value]) => {
    if (isJsonObject(value) && parent === '') return columnsOf(value, `${name}.`)
    return name === 'currency' ? [] : [`${parent}${name}`]
  })
}

function unsetLines(fields: readonly ResponseField[], { style, width }: ViewOptions): string[] {
  const paths = fields.map(getResponseFieldPath)
  if (paths.length === 0) return []
  const lines = wrapText(paths.join(', '), width - INDENT.length)
  return ['not set', ...lines.map((line) => INDENT + line)].map(style.dim)
}
