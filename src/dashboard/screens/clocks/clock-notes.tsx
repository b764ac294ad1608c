import type { TestClock } from '../../../domain/time/test-clocks.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { formatDateTime } from '../../format/format-time.ts'

interface AdvanceProgressProps {
  readonly from: number
  readonly to: number
  /** The time of the newest event of the advance. */
  readonly reached: number
  /** The number of events that the advance has caused. */
  readonly count: number
}

/** Shows the progress of a running advance. */
export function AdvanceProgress({ from, to, reached, count }: AdvanceProgressProps) {
  return (
    <div class="note" role="status">
      <p>
        Advancing to <strong>{formatDateTime(to)}</strong>: {formatCountWithNoun(count, 'event')} so far
        {count > 0 && `, now at ${formatDateTime(reached)}`}
      </p>
      <progress max={to - from} value={reached - from} aria-label="Advance of the clock" />
    </div>
  )
}

/** Explains why a failed or deleting clock cannot advance. */
export function ClockStatusNote({ clock }: { readonly clock: TestClock }) {
  if (clock.status === 'internal_failure')
    return (
      <div class="note bad stack" role="alert">
        <p>
          This clock has failed: a due job threw an error, which is in the log of <code>paycli serve</code>.
          It can no longer advance. Its events stay readable. To go on, delete it and create a new one:
        </p>
        <CopyText text={`paycli clock delete ${clock.id}`} />
        <CopyText text={`paycli clock create --at ${formatDateTime(clock.frozen_time).slice(0, 10)}`} />
      </div>
    )
  if (clock.status === 'deleting')
    return <p class="note">This clock is being deleted with its customers, so it can no longer advance.</p>
  return null
}

/** The hints for errors of an advance, by code. */
export const ADVANCE_ERROR_HINTS: Readonly<Record<string, string>> = {
  test_clock_too_far: 'Select an earlier time, and advance again from there.',
  test_clock_not_forward: 'The clock was advanced in the meantime. Select a later time.',
  test_clock_advancing: 'Another advance of this clock is running. Wait until it is ready.',
  connection_lost: 'If the server restarts, it completes the advance.',
}

/** Explains why a clock cannot go back. */
export function NoRewindNote({ now }: { readonly now: number }) {
  return (
    <div class="note stack" role="status">
      <p>
        A clock cannot go back: what happened until {formatDateTime(now)} is stored, as invoices and payments
        in real time are. To start earlier, create another clock:
      </p>
      <CopyText text="paycli clock create --at 2026-01-01" />
    </div>
  )
}
