import type { DunningFunnelStep } from '../../../domain/reports/dunning-funnel.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'

/** Describes the results of retries in one sentence. */
export function describeDunningFunnel(steps: readonly DunningFunnelStep[]): string {
  const [first] = steps
  if (first === undefined) return 'No invoice of this time had a declined first charge.'
  const sum = (name: 'recovered' | 'open' | 'lost') => steps.reduce((all, step) => all + step[name], 0)
  const results = [`${sum('recovered')} recovered`, `${sum('open')} still retried`, `${sum('lost')} lost`]
  return `Of ${formatCountWithNoun(first.reached, 'invoice')} whose first charge failed: ${results.join(', ')}.`
}

/** Returns a number as `1st`, `2nd`, `3rd`, `4th` … */
export function formatOrdinal(number: number): string {
  const rest = number % 100
  if (rest >= 11 && rest <= 13) return `${number}th`
  return `${number}${['th', 'st', 'nd', 'rd'][number % 10] ?? 'th'}`
}
