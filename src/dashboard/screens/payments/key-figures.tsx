import type { DunningFunnelStep } from '../../../domain/reports/dunning-funnel.ts'
import type { Statistics } from '../../../domain/reports/statistics.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { DataTable, type DataTableColumn } from '../../components/data-table.tsx'
import { Panel } from '../../components/placeholders.tsx'
import { Amounts } from '../../components/values.tsx'
import {
  describeDunningFunnel,
  type OutcomeTotals,
  PAYMENT_SERIES,
  type PaymentSeriesName,
} from './outcome-totals.ts'

interface KeyFiguresProps {
  readonly all: readonly OutcomeTotals[]
  readonly statistics: Statistics
}

/** Shows the key figures: payments by outcome and refunds, each with its sums by currency, and monthly recurring revenue. */
export function KeyFigures({ all, statistics }: KeyFiguresProps) {
  const countOf = (name: PaymentSeriesName) => all.reduce((sum, { totals }) => sum + totals[name].count, 0)
  const failed = countOf('failed')
  const decided = countOf('succeeded') + failed
  const subscriptions = Object.entries(statistics.subscriptions)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status.replaceAll('_', ' ')}`)
  return (
    <dl class="figures columns narrow">
      {PAYMENT_SERIES.map(({ name, label, tone }) => (
        <div key={name} class="panel">
          <dt>
            <span class={`swatch ${tone}`} /> {label}
          </dt>
          <dd>
            <Amounts amounts={all.map(({ currency, totals }) => ({ currency, ...totals[name] }))} />
          </dd>
          <dd class="quiet">
            {formatCountWithNoun(countOf(name), name === 'refunded' ? 'refund' : 'payment')}
            {name === 'failed' &&
              decided > 0 &&
              `, ${Math.round((1000 * failed) / decided) / 10} % of ${decided} decided`}
          </dd>
        </div>
      ))}
      <div class="panel">
        <dt>Monthly recurring revenue</dt>
        <dd>
          <Amounts amounts={statistics.recurring_revenue} />
        </dd>
        <dd class="quiet">
          {subscriptions.length === 0 ? 'No subscriptions' : `Subscriptions: ${subscriptions.join(', ')}`}
        </dd>
      </div>
    </dl>
  )
}

const COLUMNS: readonly DataTableColumn<DunningFunnelStep>[] = [
  { label: 'Charge', cell: ({ attempt }) => `Charge ${attempt}` },
  { label: 'Invoices', cell: ({ reached }) => formatCountWithNoun(reached, 'invoice') },
  { label: 'Recovered', isNumber: true, cell: ({ recovered }) => recovered },
  { label: 'Retried later', isNumber: true, cell: ({ open }) => open },
  { label: 'Lost', isNumber: true, cell: ({ lost }) => lost },
]

/** Shows the outcome of the invoices whose first charge failed, with one row per charge. */
export function DunningFunnel({ steps }: { readonly steps: readonly DunningFunnelStep[] }) {
  return (
    <Panel title="Retries of declined invoices">
      <p class={steps.length === 0 ? 'quiet' : ''}>{describeDunningFunnel(steps)}</p>
      {steps.length > 0 && (
        <DataTable label="Retries" columns={COLUMNS} items={steps} keyOf={({ attempt }) => String(attempt)} />
      )}
    </Panel>
  )
}
