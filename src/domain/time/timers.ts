import { type Change, toCreation } from '../core/changes.ts'

/**
 * Internal record: a deadline that cannot be derived from the object's fields. An object has at most one timer, which
 * is removed when its job has run.
 */
export interface TimerRecord {
  /** The id of the object with the deadline. */
  readonly id: string
  readonly object: 'timer'
  readonly what: 'invoice_overdue' | 'trial_will_end' | 'refund_succeeds' | 'refund_fails' | 'issuer_answers'
  /** The due time in Unix seconds on the timer's clock. */
  readonly at: number
  /** The id of the test clock; null for real time. */
  readonly test_clock: string | null
}

/** Sets the timer of an object. */
export function createTimerChange(timer: Omit<TimerRecord, 'object'>): Change<TimerRecord> {
  return toCreation<TimerRecord>(null, { ...timer, object: 'timer' })
}
