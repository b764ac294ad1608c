import { type Change, type RuleContext, toCreation, toUpdate } from '../core/changes.ts'
import { DomainError } from '../core/domain-error.ts'
import type { Payment } from './payments.ts'

/**
 * Internal record: the times of a session's or invoice's declines that created no payment. These are declined card
 * setups and numbers that are not test cards. The record contains no card data.
 */
export interface PaymentlessDeclineLog {
  /** The id of the session or invoice with the declines. */
  readonly id: string
  readonly object: 'traceless_declines'
  /** The times of declines in the last hour, on the clock of the session or invoice, in Unix seconds. */
  readonly times: readonly number[]
  /** Wall time of the last decline, in Unix seconds. */
  readonly noted_at: number
}

/** The maximum number of declined attempts per session or invoice in one hour. */
export const MAX_DECLINES_PER_HOUR = 10

const SECONDS_PER_HOUR = 3600

/** Adds a decline that created no payment to the log. */
export function recordPaymentlessDecline(
  known: PaymentlessDeclineLog | null,
  id: string,
  { now, wallNow }: RuleContext,
): Change {
  const times = [...(known?.times ?? []).filter((time) => isRecent(time, now)), now]
  const noted: PaymentlessDeclineLog = { id, object: 'traceless_declines', times, noted_at: wallNow }
  return known === null ? toCreation(null, noted) : toUpdate(null, known, noted)
}

/**
 * Throws `card_decline_rate_limit_exceeded` if there were too many declines in the hour before `now`, which is in Unix
 * seconds. The error contains the time to wait, or the duration by which to advance the test clock.
 */
export function enforceDeclineLimit(
  payments: readonly Payment[],
  declineLog: PaymentlessDeclineLog | null,
  { now, test_clock }: { readonly now: number; readonly test_clock: string | null },
): void {
  const recent = [...payments.map(({ created }) => created), ...(declineLog?.times ?? [])]
    .filter((time) => isRecent(time, now))
    .sort((a, b) => a - b)
  const last = recent.at(-MAX_DECLINES_PER_HOUR)
  if (last === undefined) return
  const seconds = last + SECONDS_PER_HOUR - now
  const next =
    test_clock === null
      ? `Try again in ${seconds} seconds.`
      : `Advance test clock '${test_clock}' by ${seconds} seconds, then try again.`
  throw new DomainError(
    'card_decline_rate_limit_exceeded',
    `Too many declined attempts: ${recent.length} in the last hour, and the limit is ${MAX_DECLINES_PER_HOUR}. ${next}`,
    test_clock === null ? { retryAfterSeconds: seconds } : { advanceSeconds: seconds },
  )
}

function isRecent(time: number, now: number): boolean {
  return time > now - SECONDS_PER_HOUR
}
