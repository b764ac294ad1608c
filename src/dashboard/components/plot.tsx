import type { ComponentChildren } from 'preact'

interface PlotProps {
  /** Describes the plot for screen readers. */
  readonly label: string
  /** The symbol and the name of each series. */
  readonly legend: readonly (readonly [symbol: ComponentChildren, name: string])[]
  /** Values of the scale, at shares of the height from the top. */
  readonly ticks: readonly (readonly [at: number, text: string])[]
  /** Texts below the plot, from left to right. */
  readonly times: readonly string[]
  readonly table: ComponentChildren
  /** SVG elements, whose positions are percentages of the width and the height. */
  readonly children: ComponentChildren
}

/** Shows a plot with its legend, its scale, its time axis and a table of its numbers. */
export function Plot({ label, legend, ticks, times, table, children }: PlotProps) {
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
        <div class="plot-scale" aria-hidden="true">
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
        <div class="plot-times" aria-hidden="true">
          {[...new Set(times)].map((time) => (
            <span key={time}>{time}</span>
          ))}
        </div>
      </div>
      <details>
        <summary>Show the numbers as a table</summary>
        {table}
      </details>
    </figure>
  )
}

/** Returns a share as a percentage, such as `12.50%`. */
export function formatPercent(share: number): string {
  return `${(100 * share).toFixed(2)}%`
}
