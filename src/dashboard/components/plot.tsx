import type { ComponentChildren } from 'preact'
import { DataTable, type DataTableColumn } from './data-table.tsx'

interface PlotProps<T> {
  /** Describes the plot for screen readers. */
  readonly label: string
  /** The symbol and the name of each series. */
  readonly legend: readonly (readonly [symbol: ComponentChildren, name: string])[]
  /** The labels of the scale, each with its position as a share of the height from the top. */
  readonly ticks: readonly (readonly [at: number, text: string])[]
  /** The labels of the time axis, from left to right. */
  readonly times: readonly string[]
  /**
   * The columns and rows of the table with the numbers of the plot (default: no table, because the screen has a table).
   */
  readonly columns?: readonly DataTableColumn<T>[]
  readonly rows?: readonly T[]
  /** SVG elements, whose positions are percentages of the width and the height. */
  readonly children: ComponentChildren
}

/** Shows a plot with its legend, scale, time axis and a table of its numbers. */
export function Plot<T extends { readonly start: number }>(props: PlotProps<T>) {
  const { label, legend, ticks, times, columns, rows = [], children } = props
  return (
    <figure class="stack">
      <ul class="row small">
        {legend.map(([symbol, name]) => (
          <li key={name} class="row">
            {symbol} {name}
          </li>
        ))}
      </ul>
      <div class="plot-body">
        <div class="plot-scale quiet small" aria-hidden="true">
          {ticks.map(([at, text]) => (
            <span key={at} class="plot-tick" style={{ top: formatPercent(at) }}>
              {text}
            </span>
          ))}
        </div>
        <svg class="plot-area" role="img" aria-label={label}>
          {ticks.map(([at]) => (
            <line key={at} class="plot-grid" x1="0" x2="100%" y1={formatPercent(at)} y2={formatPercent(at)} />
          ))}
          {children}
        </svg>
        <div class="row spread plot-times quiet small" aria-hidden="true">
          {[...new Set(times)].map((time) => (
            <span key={time}>{time}</span>
          ))}
        </div>
      </div>
      {columns !== undefined && (
        <details>
          <summary>Show the numbers as a table</summary>
          <DataTable
            label="Numbers of the plot"
            columns={columns}
            items={rows}
            keyOf={({ start }) => String(start)}
          />
        </details>
      )}
    </figure>
  )
}

/** Returns a share as a percentage, such as `12.50%`. */
export function formatPercent(share: number): string {
  return `${(100 * share).toFixed(2)}%`
}
