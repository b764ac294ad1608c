/** Pads each cell to the width of its column, so that joined rows form a table. */
export function alignColumns(rows: readonly (readonly string[])[]): string[][] {
  const [first = []] = rows
  const widths = first.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)))
}
