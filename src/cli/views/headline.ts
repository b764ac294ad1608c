import type { JsonObject } from '../../domain/core/json-object.ts'
import { truncateWithEllipsis } from '../../domain/text/display-width.ts'
import { findFieldValue } from '../../presentation/field-values.ts'
import { listIdentityPaths } from '../../presentation/identity-fields.ts'
import { formatValue } from '../output/format-values.ts'
import { createFieldCell, getDisplayField } from './format-field.ts'
import { type Cell, createPlainCell, joinCellsIntoLines } from './table.ts'
import type { ViewOptions } from './view-options.ts'

/** Returns the headline of an object, such as `46.75 EUR · succeeded · Ada Lovelace · 3 min ago`, with its id below. */
export function formatHeadline(object: JsonObject, view: ViewOptions): string[] {
  const { object: type, id } = object
  if (typeof type !== 'string' || typeof id !== 'string') return []
  const cells = [...listIdentityPaths(object), 'status', 'customer', 'created'].flatMap(
    (path) => headlineCell(object, path, view) ?? [],
  )
  const label = view.style.dim(`${formatValue(type).replaceAll('_', ' ')} ${formatValue(id)}`)
  return [...joinCellsIntoLines(cells, ' · ', view.width), label]
}

function headlineCell(object: JsonObject, path: string, view: ViewOptions): Cell | null {
  if (findFieldValue(object, path) === undefined) return null
  const cut = (cell: Cell) => ({ ...cell, text: truncateWithEllipsis(cell.text, view.width) })
  if (path === 'customer') {
    const name = view.names.get(String(object[path]))
    // A customer without a known name is omitted, because the id would not help the reader.
    return name === undefined ? null : cut(createPlainCell(formatValue(name)))
  }
  const cell = createFieldCell(getDisplayField(object, path), view)
  return cut(path === 'status' ? cell : { ...cell, paint: view.style.bold })
}
