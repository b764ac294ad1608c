import type { DunningFunnelStep } from '../../../domain/reports/dunning-funnel.ts'
import type { CurrencyTotals, Statistics } from '../../../domain/reports/statistics.ts'
import type { StatusTone } from '../../../presentation/status-tones.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'

/** One day, week or month of the statistics. */
export type StatisticsBucket = Statistics['data'][number]
type PaymentOutcome = keyof CurrencyTotals['payments']
/** A number of payments or refunds, and their sum in minor units. */
type PaymentTotals = CurrencyTotals['payments'][PaymentOutcome]

const WAITING = ['requires_action', 'requires_capture', 'processing'] as const

/** The series of the plot: the outcomes of payments, from the bottom to the top of a bar, and refunds below it. */
export const PAYMENT_SERIES = [
  { name: 'succeeded', label: 'Succeeded', tone: 'good', statuses: ['succeeded'] },
  { name: 'waiting', label: 'In progress', tone: 'waiting', statuses: WAITING },
  { name: 'canceled', label: 'Canceled', tone: 'quiet', statuses: ['canceled'] },
  { name: 'failed', label: 'Declined', tone: 'bad', statuses: ['failed'] },
  { name: 'refunded', label: 'Refunded', tone: 'accent', statuses: [] },
] as const satisfies readonly {
  readonly name: string
  readonly label: string
  readonly tone: StatusTone | 'accent'
  readonly statuses: readonly PaymentOutcome[]
}[]

export type PaymentSeries = (typeof PAYMENT_SERIES)[number]
export type PaymentSeriesName = PaymentSeries['name']

/** The totals of each series, and their currency. */
export interface OutcomeTotals {
  readonly currency: string
  readonly totals: Readonly<Record<PaymentSeriesName, PaymentTotals>>
}

const NONE: PaymentTotals = { count: 0, amount: 0 }

/** Returns the totals of all buckets by currency; the currency with the most payments comes first. */
export function getTotalsByCurrency(buckets: readonly StatisticsBucket[]): OutcomeTotals[] {
  const all = buckets.flatMap(({ currencies }) => currencies)
  return [...Map.groupBy(all, ({ currency }) => currency)]
    .map(([currency, own]) => ({ currency, totals: sumByOutcome(own) }))
    .sort((a, b) => countPayments(b) - countPayments(a))
}

/** Returns the totals of each series. Refunds that have failed do not count. */
export function sumByOutcome(all: readonly CurrencyTotals[]): OutcomeTotals['totals'] {
  const sums = PAYMENT_SERIES.map(({ name, statuses }) => {
    const totals = all.flatMap(({ payments, refunds }) =>
      name === 'refunded' ? [refunds.succeeded, refunds.pending] : statuses.map((status) => payments[status]),
    )
    return [name, totals.reduce(addTotals, NONE)]
  })
  return Object.fromEntries(sums)
}

function addTotals(a: PaymentTotals, b: PaymentTotals): PaymentTotals {
  return { count: a.count + b.count, amount: a.amount + b.amount }
}

function countPayments({ totals: { refunded, ...payments } }: OutcomeTotals): number {
  return Object.values(payments).reduce((sum, { count }) => sum + count, 0)
}

/** Describes the results of retries in one sentence. */
export function describeDunningFunnel(steps: readonly DunningFunnelStep[]): string {
  const [first] = steps
  if (first === undefined) return 'No invoice in this period had a declined first charge.'
  const sum = (name: 'recovered' | 'open' | 'lost') => steps.reduce((all, step) => all + step[name], 0)
  const results = [`${sum('recovered')} recovered`, `${sum('open')} still retried`, `${sum('lost')} lost`]
  return `Of ${formatCountWithNoun(first.reached, 'invoice')} whose first charge failed: ${results.join(', ')}.`
}
