import { StartupProblem } from './startup-problem.ts'

/** What follows when the last retry of an invoice has failed: the subscription ends, waits unpaid, or stays past due. */
export type OnExhausted = 'cancel' | 'unpaid' | 'past_due'

/** How failed invoices are collected: the days from each failed attempt to the next, and what follows the last one. */
export interface Dunning {
  readonly retry_days: readonly number[]
  readonly on_exhausted: OnExhausted
}

/** Retries after 3, 5 and 7 days, then the subscription is canceled. */
export const DEFAULT_DUNNING: Dunning = { retry_days: [3, 5, 7], on_exhausted: 'cancel' }

/** Every choice of what follows the last retry. */
export const ON_EXHAUSTED: readonly OnExhausted[] = ['cancel', 'unpaid', 'past_due']

const MAX_RETRIES = 8
const MAX_RETRY_DAYS = 30
const SECONDS_PER_DAY = 86_400

/** When an invoice is tried again after its `attempts`-th attempt failed at `now` (Unix seconds); null after the last. */
export function nextAttemptAt({ retry_days }: Dunning, attempts: number, now: number): number | null {
  const days = retry_days[attempts - 1]
  return days === undefined ? null : now + days * SECONDS_PER_DAY
}

/** Reads retry days such as `3,5,7`, or `none`; throws a `StartupProblem` that says what was expected. */
export function parseRetryDays(text: string): number[] {
  if (text === 'none') return []
  const days = text.split(',').map((part) => (/^\d{1,2}$/.test(part.trim()) ? Number(part) : 0))
  const areAllowed = days.every((day) => day >= 1 && day <= MAX_RETRY_DAYS)
  if (areAllowed && days.length <= MAX_RETRIES) return days
  throw new StartupProblem(
    'retry_days_invalid',
    `'${text}' are no retry days: give up to ${MAX_RETRIES} whole numbers from 1 to ${MAX_RETRY_DAYS} such as 3,5,7, each the days since the attempt before, or none.`,
  )
}
