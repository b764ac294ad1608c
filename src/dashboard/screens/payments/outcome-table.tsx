import { type Column, DataTable } from '../../components/data-table.tsx'
import { Amount } from '../../components/values.tsx'
import { OUTCOME_GROUPS, type OutcomeTotals } from './outcome-totals.ts'

const ROWS = [...OUTCOME_GROUPS, { name: 'refunded', label: 'Refunded' }] as const
type Row = (typeof ROWS)[number]

/** Shows a table of the sums and numbers of payments by outcome; each currency has a column. */
export function OutcomeTable({ totals }: { readonly totals: readonly OutcomeTotals[] }) {
  const columns: readonly Column<Row>[] = [
    {
      label: 'Outcome',
      cell: ({ name, label }) => (
        <>
          <span class={`swatch series-${name}`} /> {label}
        </>
      ),
    },
    ...totals.map(({ currency, outcomes, refunded }) => ({
      label: currency.toUpperCase(),
      isNumber: true,
      cell({ name }: Row) {
        const { count, amount } = name === 'refunded' ? refunded : outcomes[name]
        if (count === 0) return <span class="quiet">–</span>
        return (
          <>
            <Amount amount={amount} currency={currency} /> <span class="quiet">({count})</span>
          </>
        )
      },
    })),
  ]
  return (
    <DataTable
      label="Totals by outcome and currency"
      columns={columns}
      items={ROWS}
      keyOf={({ name }) => name}
    />
  )
}
