import { getDisplayWidth, truncateWithEllipsis } from '../../domain/text/display-width.ts'
import { groupIntoLines } from '../../domain/text/wrap-words.ts'
import { shortenIds } from './short-ids.ts'
import type { RenderedText, ViewOptions } from './view-options.ts'

const GAP = '  '
/** Minimum number of columns of a table. Ids of rows are shortened before further columns are omitted. */
const MIN_COLUMNS = 5
/** Minimum width of a cut cell, enough for shortened ids, times and the host and port of an address. */
const MIN_WIDTH = 22

/** A styled value in a table. */
export interface Cell {
  readonly text: string
  /** Styles the text without changing its width. */
  readonly paint: (text: string) => string
}

/** A column of a table. The first column has the ids of the rows. */
export interface TextColumn {
  readonly heading: string
  readonly isRightAligned: boolean
  readonly cells: readonly Cell[]
}

/** Returns a cell without a style. */
export function createPlainCell(text: string): Cell {
  return { text, paint: (shown) => shown }
}

/** Returns a column with the text or the styled cell of each row. */
export function createColumn<T>(
  heading: string,
  rows: readonly T[],
  toCell: (row: T, index: number) => string | Cell,
  isRightAligned = false,
): TextColumn {
  const cells = rows.map((row, index) => {
    const cell = toCell(row, index)
    return typeof cell === 'string' ? createPlainCell(cell) : cell
  })
  return { heading, isRightAligned, cells }
}

/** Formats columns as the text of a table. Lines are longer than the width of the view only if it is wide. */
export function renderTable(
  columns: readonly TextColumn[],
  { style, width, isWide }: Pick<ViewOptions, 'style' | 'width' | 'isWide'>,
  bold = style.bold,
): RenderedText {
  const { lines, isWhole } = formatTable(columns, { bold, width: isWide ? Infinity : width })
  return { text: `${lines.join('\n')}\n`, isWhole }
}

/** Joins cells into lines of at most `width` columns. */
export function joinCellsIntoLines(cells: readonly Cell[], separator: string, width: number): string[] {
  const lines = groupIntoLines(cells, separator, width)
  return lines.map((line) => line.map(({ text, paint }) => paint(text)).join(separator))
}

/**
 * Formats columns as the lines of a table, the heading first, within a width (Infinity for any width). The caller sorts
 * the columns by importance. If the table is too wide, the ids of other objects are shortened first. Then columns are
 * omitted from the end, then the ids of the rows are shortened, then cells are cut. In each of these cases, `isWhole`
 * is false.
 */
export function formatTable(
  columns: readonly TextColumn[],
  { bold, width }: { readonly bold: (text: string) => string; readonly width: number },
) {
  const fitted = fitColumns(columns, width)
  const aligned = fitted.map(alignColumn)
  const count = Math.max(0, ...columns.map(({ cells }) => cells.length))
  const rows = Array.from({ length: count }, (_, row) =>
    joinCells(aligned.map(({ cells }) => cells[row] ?? '')),
  )
  const isWhole =
    fitted.length === columns.length && fitted.every((column, index) => column === columns[index])
  return { lines: [bold(joinCells(aligned.map(({ heading }) => heading))), ...rows], isWhole }
}

function fitColumns(columns: readonly TextColumn[], width: number): readonly TextColumn[] {
  const fits = (tried: readonly TextColumn[]) => totalWidth(tried) <= width
  if (fits(columns)) return columns
  const [own, ...others] = columns
  if (own === undefined) return columns
  const shortened = others.map(withShortIds)
  const withOwnId = dropUntil(fits, [own, ...shortened], MIN_COLUMNS)
  if (fits(withOwnId)) return withOwnId
  const short = dropUntil(fits, [withShortIds(own), ...shortened], MIN_COLUMNS)
  return fits(short) ? short : cutColumns(short, width)
}

function dropUntil(
  fits: (columns: readonly TextColumn[]) => boolean,
  columns: readonly TextColumn[],
  min: number,
): readonly TextColumn[] {
  return fits(columns) || columns.length <= min ? columns : dropUntil(fits, columns.slice(0, -1), min)
}

function withShortIds(column: TextColumn): TextColumn {
  const cells = shortenIds(column.cells.map(({ text }) => text))
  return cells === null
    ? column
    : { ...column, cells: column.cells.map((cell, row) => ({ ...cell, text: cells[row] ?? '' })) }
}

// When no cell can be cut further, the last column is omitted, so that the other columns are cut less.
function cutColumns(columns: readonly TextColumn[], width: number): readonly TextColumn[] {
  let cut = columns
  while (totalWidth(cut) > width) {
    const shorter = cutWidest(cut, width)
    if (shorter === null) return cutColumns(columns.slice(0, -1), width)
    cut = shorter
  }
  return cut
}

// The first column, which identifies the row, is only cut when it takes most of the width.
function cutWidest(columns: readonly TextColumn[], width: number): readonly TextColumn[] | null {
  const widths = columns.map((column, index) => {
    const own = columnWidth(column)
    return column.isRightAligned || (index === 0 && own <= width / 2) ? 0 : own
  })
  const widest = Math.max(...widths)
  const min = columns.length === 1 ? 1 : MIN_WIDTH
  if (widest <= min) return null
  const at = widths.indexOf(widest)
  const cut = Math.max(min, widest + width - totalWidth(columns))
  return columns.map((column, index) => (index === at ? cutCells(column, cut) : column))
}

function cutCells(column: TextColumn, width: number): TextColumn {
  const cells = column.cells.map((cell) => ({ ...cell, text: truncateWithEllipsis(cell.text, width) }))
  return { ...column, heading: truncateWithEllipsis(column.heading, width), cells }
}

function alignColumn(column: TextColumn): { readonly heading: string; readonly cells: readonly string[] } {
  const width = columnWidth(column)
  const align = ({ text, paint }: Cell) => {
    const padding = ' '.repeat(width - getDisplayWidth(text))
    return column.isRightAligned ? padding + paint(text) : paint(text) + padding
  }
  return { heading: align({ text: column.heading, paint: (text) => text }), cells: column.cells.map(align) }
}

function joinCells(cells: readonly string[]): string {
  return cells.join(GAP).trimEnd()
}

function totalWidth(columns: readonly TextColumn[]): number {
  return columns.reduce((sum, column) => sum + columnWidth(column) + GAP.length, -GAP.length)
}

function columnWidth({ heading, cells }: TextColumn): number {
  return cells.reduce((width, { text }) => Math.max(width, getDisplayWidth(text)), getDisplayWidth(heading))
}
