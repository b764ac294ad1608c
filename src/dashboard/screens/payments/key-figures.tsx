import type { Statistics } from '../../../domain/reports/statistics.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { Amount } from '../../components/values.tsx'
import type { OutcomeTotals, PaymentSeriesName } from './outcome-totals.ts'

interface KeyFiguresProps {
  readonly all: readonly OutcomeTotals[]
  readonly statistics: Statistics
}

/** Shows the key figures: succeeded, declined and refunded payments, and monthly recurring revenue. */
export function KeyFigures({ all, statistics }: KeyFiguresProps) {
  const countOf = (name: PaymentSeriesName) => all.reduce((sum, { totals }) => sum + totals[name].count, 0)
  const amountsOf = (name: PaymentSeriesName) =>
    all.map(({ currency, totals }) => ({ currency, amount: totals[name].amount }))
  const failed = countOf('failed')
  const decided = countOf('succeeded') + failed
  const subscriptions = Object.entries(statistics.subscriptions)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status.replaceAll('_', ' ')}`)
  const figures = [
    {
      ...{ label: 'Succeeded', value: <Amounts amounts={amountsOf('succeeded')} /> },
      note: formatCountWithNoun(decided - failed, 'payment'),
    },
    {
      ...{ label: 'Declined', value: decided === 0 ? '–' : `${formatPercent(failed / decided)} %` },
      note: `${failed} of ${formatCountWithNoun(decided, 'decided payment')}`,
    },
    {
      ...{ label: 'Refunded', value: <Amounts amounts={amountsOf('refunded')} /> },
      note: formatCountWithNoun(countOf('refunded'), 'refund'),
    },
    {
      ...{ label: 'Monthly recurring revenue', value: <Amounts amounts={statistics.recurring_revenue} /> },
      note: subscriptions.length === 0 ? 'No subscriptions' : `Subscriptions: ${subscriptions.join(', ')}`,
    },
  ]
  return (
    <dl class="figures columns narrow">
      {figures.map(({ label, value, note }) => (
        <div key={label} class="panel">
          <dt>{label}</dt>
          <dd>{value}</dd>
          <dd class="quiet">{note}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Shows amounts, one line for each currency, because they have no common sum. */
function Amounts({ amounts }: { readonly amounts: readonly { currency: string; amount: number }[] }) {
  const shown = amounts.filter(({ amount }) => amount !== 0)
  if (shown.length === 0) return <>–</>
  return shown.map((one) => (
    <div key={one.currency}>
      <Amount {...one} />
    </div>
  ))
}

function formatPercent(rate: number): string {
  const percent = rate * 100
  return percent === Math.round(percent) ? String(percent) : percent.toFixed(1)
}
