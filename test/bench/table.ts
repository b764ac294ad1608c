import type { FigureRow } from './figure.ts'

const HEAD: FigureRow = {
  what: 'what',
  paycli: 'paycli',
  baseline: 'baseline',
  ratio: 'ratio (lowest to highest)',
  byProcessor: 'by processor time',
  target: 'target',
  met: 'met?',
}
const COLUMNS = Object.keys(HEAD) as (keyof FigureRow)[]

/** Renders rows as a Markdown table. */
export function renderTable(rows: readonly FigureRow[]): string {
  const all = [HEAD, ...rows]
  const widths = COLUMNS.map((column) => Math.max(...all.map((row) => row[column].length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |\n`
  const rule = line(widths.map((width) => '-'.repeat(width)))
  const [head = '', ...body] = all.map((row) => line(COLUMNS.map((column) => row[column])))
  return head + rule + body.join('')
}
