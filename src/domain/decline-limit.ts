import { type Change, creation, mutation, type RuleContext } from './changes.ts'
import { DomainError } from './domain-error.ts'
import type { Payment } from './payments.ts'

/**
 * When a session or an invoice had cards declined that left no payment: those that were only to be saved, and numbers of
 * no test card; private, and nothing of the cards.
 */
export interface TracelessDeclines {
  /** The id of the session or the invoice. */
  readonly id: string
  readonly object: 'traceless_declines'
  /** On the time of what they were tried on, in Unix seconds; those of one hour at most. */
  readonly times: readonly number[]
  /** Wall time of the last one, in Unix seconds. */
  readonly noted_at: number
}

/** What was tried on a session or an invoice and declined. */
export interface Declines {
  readonly payments: readonly Payment[]
  readonly traceless: TracelessDeclines | null
}

/** After how many declined attempts a session or an invoice refuses more for an hour. */
export const MAX_DECLINES_PER_HOUR = 10

const SECONDS_PER_HOUR = 3600

/** Notes one more decline that leaves no payment. */
export function noteDecline(
  known: TracelessDeclines | null,
  id: string,
  { now, wallNow }: RuleContext,
): Change {
  const times = [...(known?.times ?? []).filter((time) => isRecent(time, now)), now]
  const noted: TracelessDeclines = { id, object: 'traceless_declines', times, noted_at: wallNow }
  return known === null ? creation(null, noted) : mutation(null, known, noted)
}

/**
 * Refuses more cards for what had too many declined within an hour before `now`, in Unix seconds, and tells how long to
 * wait: in real time, or how far to move its test clock.
 */
export function refuseTooManyDeclines(
  { payments, traceless }: Declines,
  { now, test_clock }: { readonly now: number; readonly test_clock: string | null },
): void {
  const recent = [...payments.map(({ created }) => created), ...(traceless?.times ?? [])]
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
    `There were ${recent.length} declined attempts in the last hour; ${MAX_DECLINES_PER_HOUR} are allowed. ${next}`,
    test_clock === null ? { retryAfterSeconds: seconds } : { advanceSeconds: seconds },
  )
}

function isRecent(time: number, now: number): boolean {
  return time > now - SECONDS_PER_HOUR
}
