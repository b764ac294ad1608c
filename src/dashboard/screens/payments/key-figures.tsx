import type { ComponentChildren } from 'preact'
import type { Statistics } from '../../../domain/reports/statistics.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { Amount } from '../../components/values.tsx'
import { declineRate, type OutcomeTotals } from './outcome-totals.ts'

interface KeyFiguresProps {
  readonly totals: readonly OutcomeTotals[]
  readonly statistics: Statistics
}

/** Shows the key figures: succeeded, declined and refunded payments, and monthly recurring revenue. */
export function KeyFigures({
  totals,
  statistics: { recurring_revenue: revenue, subscriptions },
}: KeyFiguresProps) {
  const sum = (read: (totals: OutcomeTotals) => number) => totals.reduce((all, one) => all + read(one), 0)
  const succeeded = sum(({ outcomes }) => outcomes.succeeded.count)
  const failed = sum(({ outcomes }) => outcomes.failed.count)
  const refunds = sum(({ refunded }) => refunded.count)
  const rate = declineRate(totals)
  const states = Object.entries(subscriptions).filter(([, count]) => count > 0)
  return (
    <dl class="figures">
      <Figure label="Succeeded" note={formatCountWithNoun(succeeded, 'payment')}>
        <Amounts
          amounts={totals.map(({ currency, outcomes }) => ({ currency, amount: outcomes.succeeded.amount }))}
        />
      </Figure>
      <Figure
        label="Declined"
        note={`${failed} of ${formatCountWithNoun(succeeded + failed, 'decided payment')}`}
      >
        {rate === null ? '–' : `${formatPercent(rate)} %`}
      </Figure>
      <Figure label="Refunded" note={formatCountWithNoun(refunds, 'refund')}>
        <Amounts amounts={totals.map(({ currency, refunded }) => ({ currency, amount: refunded.amount }))} />
      </Figure>
      <Figure
        label="Monthly recurring revenue"
        note={
          states.length === 0
            ? 'No subscriptions'
            : `Subscriptions: ${states.map(([status, count]) => `${count} ${status.replaceAll('_', ' ')}`).join(', ')}`
        }
      >
        <Amounts amounts={revenue} />
      </Figure>
    </dl>
  )
}

function Figure(props: {
  readonly label: string
  readonly note: string
  readonly children: ComponentChildren
}) {
  return (
    <div class="panel">
      <dt>{props.label}</dt>
      <dd class="figure-value">{props.children}</dd>
      <dd class="quiet">{props.note}</dd>
    </div>
  )
}

/** Shows amounts, one line for each currency, because they have no common sum. */
function Amounts({ amounts }: { readonly amounts: readonly { currency: string; amount: number }[] }) {
  const shown = amounts.filter(({ amount }) => amount !== 0)
  if (shown.length === 0) return <>–</>
  return (
    <>
      {shown.map(({ currency, amount }) => (
        <div key={currency}>
          <Amount amount={amount} currency={currency} />
        </div>
      ))}
    </>
  )
}

function formatPercent(rate: number): string {
  const percent = rate * 100
  return percent === Math.round(percent) ? String(percent) : percent.toFixed(1)
}
