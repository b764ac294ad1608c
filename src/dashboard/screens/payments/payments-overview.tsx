import type { Statistics } from '../../../domain/reports/statistics.ts'
import { ErrorNote, Loading } from '../../components/states.tsx'
import { useApi } from '../../data/use-api.ts'
import { useNewEvents } from '../../data/use-live.ts'
import { formatDate } from '../../format/format-time.ts'
import { DunningFunnel } from './dunning-funnel.tsx'
import { IntervalSwitch } from './filter-bar.tsx'
import { KeyFigures } from './key-figures.tsx'
import { OutcomeTable } from './outcome-table.tsx'
import { totalsByCurrency } from './outcomes.ts'
import { type PaymentFilters, toStatisticsQuery } from './payment-filters.ts'
import { PaymentPlot } from './payment-plot.tsx'

interface PaymentsOverviewProps {
  readonly filters: PaymentFilters
  readonly onChange: (changes: Partial<PaymentFilters>) => void
}

const COUNTED = /^(?:payment|refund|invoice|subscription)\./
/** The server reads every record for statistics, so they are read again less often than lists. */
const RELOAD_MS = 2000

/** Shows key figures, plot, totals and dunning funnel of the selected time. */
export function PaymentsOverview({ filters, onChange }: PaymentsOverviewProps) {
  const { data, error, isLoading, reload } = useApi<Statistics>('/v1/statistics', toStatisticsQuery(filters))
  useNewEvents(({ type }) => COUNTED.test(type), reload, RELOAD_MS)
  if (data === null) return error === null ? <Loading /> : <ErrorNote error={error} onRetry={reload} />
  const totals = totalsByCurrency(data.data)
  const currency = totals.some((one) => one.currency === filters.currency) ? filters.currency : ''
  return (
    <section class="stack" aria-label="Overview" aria-busy={isLoading}>
      <KeyFigures totals={totals} statistics={data} />
      <div class="panel stack">
        <div class="row plot-head">
          <h2>
            Payments per {data.interval}{' '}
            <span class="quiet">
              {formatDate(data.start)} to {formatDate(data.end - 1)}
            </span>
          </h2>
          <label class="filter">
            <span class="visually-hidden">Plot</span>
            <select
              value={currency}
              onChange={({ currentTarget }) => onChange({ currency: currentTarget.value })}
            >
              <option value="">Number</option>
              {totals.map((one) => (
                <option key={one.currency} value={one.currency}>
                  Amount in {one.currency.toUpperCase()}
                </option>
              ))}
            </select>
          </label>
          <IntervalSwitch filters={filters} onChange={onChange} />
        </div>
        <PaymentPlot buckets={data.data} currency={currency} interval={data.interval} />
      </div>
      <div class="overview-columns">
        <section class="panel stack" aria-labelledby="totals">
          <h2 id="totals">Totals</h2>
          {totals.length === 0 ? (
            <p class="quiet">No payment was created in this time.</p>
          ) : (
            <OutcomeTable totals={totals} />
          )}
        </section>
        <DunningFunnel steps={data.dunning} />
      </div>
    </section>
  )
}
