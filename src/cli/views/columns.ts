import { getDisplayWidth, padToWidth } from '../../domain/text/display-width.ts'

/** Pads each cell to the width of its column, so that joined rows form a table. */
export function alignColumns(rows: readonly (readonly string[])[]): string[][] {
  const [first = []] = rows
  const widths = first.map((_, column) => Math.max(...rows.map((row) => getDisplayWidth(row[column] ?? ''))))
  return rows.map((row) => row.map((cell, column) => padToWidth(cell, widths[column] ?? 0)))
}
