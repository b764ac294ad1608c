import { Amount } from '../../components/values.tsx'
import type { Totals } from '../../data/reports.ts'
import { OUTCOMES, type OutcomeTotals } from './outcomes.ts'

/** Shows a table of the sums and numbers of payments by outcome; each currency has a column. */
export function OutcomeTable({ totals }: { readonly totals: readonly OutcomeTotals[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it.
    <section class="table-scroll" tabIndex={0} aria-label="Totals by outcome and currency">
      <table>
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            {totals.map(({ currency }) => (
              <th key={currency} scope="col" class="number">
                {currency.toUpperCase()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {OUTCOMES.map(({ name, label }) => (
            <tr key={name}>
              <th scope="row">
                <span class={`swatch swatch-${name}`} />
                {label}
              </th>
              {totals.map(({ currency, outcomes }) => (
                <Cell key={currency} totals={outcomes[name]} currency={currency} />
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">
              <span class="swatch swatch-refunded" />
              Refunded
            </th>
            {totals.map(({ currency, refunded }) => (
              <Cell key={currency} totals={refunded} currency={currency} />
            ))}
          </tr>
        </tbody>
      </table>
    </section>
  )
}

function Cell({
  totals: { count, amount },
  currency,
}: {
  readonly totals: Totals
  readonly currency: string
}) {
  if (count === 0) return <td class="number quiet">–</td>
  return (
    <td class="number">
      <Amount amount={amount} currency={currency} /> <span class="quiet">({count})</span>
    </td>
  )
}
