import { useRef } from 'preact/hooks'
import type { Statistics } from '../../../domain/reports/statistics.ts'
import { humanizeName } from '../../../presentation/words.ts'
import { SegmentedControl, Select } from '../../components/filter-bar.tsx'
import { ErrorNote, LoadNote } from '../../components/placeholders.tsx'
import { createEventTypeFilter } from '../../data/use-live-feed.ts'
import { useApi } from '../../data/use-load.ts'
import { formatDate } from '../../format/format-time.ts'
import { setFilters } from '../../routing/router.ts'
import { DunningFunnel, KeyFigures } from './key-figures.tsx'
import { getTotalsByCurrency, type OutcomeTotals } from './outcome-totals.ts'
import { CHART_INTERVALS, type PaymentFilters, toStatisticsQuery } from './payment-filters.ts'
import { PaymentPlot } from './payment-plot.tsx'

/** The server reads every record for statistics, so statistics are read less often than lists. */
const REFRESH = {
  isRelevant: createEventTypeFilter(/^(?:payment|refund|invoice|subscription)\./),
  delayMs: 2000,
}

/** Shows key figures, plot, totals and dunning funnel of the selected period. */
export function PaymentsOverview({ filters }: { readonly filters: PaymentFilters }) {
  const query = toStatisticsQuery(filters)
  const { data: read, error, reload } = useApi<Statistics>('/v1/statistics', query, REFRESH)
  // Keep the last data while another interval is read, because removing the focused button would lose the focus.
  const last = useRef(read)
  last.current = read ?? last.current
  const data = last.current
  if (data === null) return <LoadNote data={data} error={error} reload={reload} />
  const all = getTotalsByCurrency(data.data)
  const currency = all.some((one) => one.currency === filters.currency) ? filters.currency : ''
  return (
    <section class="stack" aria-label="Overview" aria-busy={read === null}>
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      <h2>
        {formatDate(data.start)} to {formatDate(data.end - 1)}
      </h2>
      <KeyFigures all={all} statistics={data} />
      <div class="panel stack">
        <div class="row">
          <h2>Payments per {data.interval}</h2>
          <PlotControls all={all} currency={currency} interval={filters.interval} />
        </div>
        <PaymentPlot buckets={data.data} currency={currency} interval={data.interval} />
      </div>
      <DunningFunnel steps={data.dunning} />
    </section>
  )
}

type PlotControlsProps = Pick<PaymentFilters, 'currency' | 'interval'> & {
  readonly all: readonly OutcomeTotals[]
}

function PlotControls({ all, currency, interval }: PlotControlsProps) {
  return (
    <div class="row push">
      <Select
        label="Plot"
        choices={[
          ['', 'Number'],
          ...all.map((one) => [one.currency, `Amount in ${one.currency.toUpperCase()}`] as const),
        ]}
        value={currency}
        onChange={(one) => setFilters({ currency: one })}
      />
      <SegmentedControl
        label="Interval"
        choices={CHART_INTERVALS.map((one) => [one, humanizeName(one)])}
        value={interval}
        onChange={(one) => setFilters({ interval: one })}
      />
    </div>
  )
}
