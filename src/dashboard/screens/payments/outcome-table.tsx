import { type Column, DataTable } from '../../components/data-table.tsx'
import { Amount } from '../../components/values.tsx'
import { type OutcomeTotals, PAYMENT_SERIES, type PaymentSeries } from './outcome-totals.ts'

/** Shows a table of the sums and numbers of payments by outcome; each currency has a column. */
export function OutcomeTable({ all }: { readonly all: readonly OutcomeTotals[] }) {
  const columns: readonly Column<PaymentSeries>[] = [
    {
      label: 'Outcome',
      cell: ({ label, tone }) => (
        <>
          <span class={`swatch ${tone}`} /> {label}
        </>
      ),
    },
    ...all.map(({ currency, totals }) => ({
      label: currency.toUpperCase(),
      isNumber: true,
      cell({ name }: PaymentSeries) {
        const { count, amount } = totals[name]
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
      items={PAYMENT_SERIES}
      keyOf={({ name }) => name}
    />
  )
}
