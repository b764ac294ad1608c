/** The status of the subscription after the last retry of an invoice fails: canceled, unpaid, or still past due. */
export type ExhaustionPolicy = 'cancel' | 'unpaid' | 'past_due'

/** The retry policy of failed invoices: days from each failed attempt to the next, and the action after the last attempt. */
export interface DunningPolicy {
  readonly retry_days: readonly number[]
  readonly on_exhausted: ExhaustionPolicy
}

/** Retries after 3, 5 and 7 days, then cancels the subscription. */
export const DEFAULT_DUNNING_POLICY: DunningPolicy = { retry_days: [3, 5, 7], on_exhausted: 'cancel' }

/** The possible actions on a subscription when the retry schedule of an invoice is exhausted. */
export const EXHAUSTION_POLICIES: readonly ExhaustionPolicy[] = ['cancel', 'unpaid', 'past_due']

/** The maximum number of retries of a failed invoice. */
export const MAX_INVOICE_RETRIES = 8
const MAX_RETRY_DAYS = 30
const SECONDS_PER_DAY = 86_400

/**
 * Returns the retry time of an invoice whose `attempts`-th attempt failed at `now`, both in Unix seconds; null after
 * the last attempt.
 */
export function findNextAttemptTime(
  { retry_days }: DunningPolicy,
  attempts: number,
  now: number,
): number | null {
  const days = retry_days[attempts - 1]
  return days === undefined ? null : now + days * SECONDS_PER_DAY
}

/** The description of the strings that `parseRetryDays` accepts. */
export const RETRY_DAYS_FORMAT_DESCRIPTION = `'none' or up to ${MAX_INVOICE_RETRIES} whole numbers from 1 to ${MAX_RETRY_DAYS}, such as 3,5,7. Each is the number of days since the previous attempt`

/** Parses retry days such as `3,5,7`, or `none`; returns null for invalid days. */
export function parseRetryDays(text: string): number[] | null {
  if (text === 'none') return []
  const days = text.split(',').map((part) => (/^\d{1,2}$/.test(part.trim()) ? Number(part) : 0))
  const areAllowed = days.every((day) => day >= 1 && day <= MAX_RETRY_DAYS)
  return areAllowed && days.length <= MAX_INVOICE_RETRIES ? days : null
}
