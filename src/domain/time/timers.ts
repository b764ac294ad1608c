import { type Change, creation } from '../core/changes.ts'

/**
 * Internal record: a deadline that cannot be derived from the object's fields. There is at most one per object, and it
 * is removed when its job has run.
 */
export interface TimerRecord {
  /** The id of the object. */
  readonly id: string
  readonly object: 'timer'
  readonly what: 'invoice_overdue' | 'trial_will_end' | 'refund_succeeds' | 'refund_fails' | 'issuer_answers'
  /** Unix seconds on the timer's clock. */
  readonly at: number
  /** Null for real time. */
  readonly test_clock: string | null
}

/** Sets the timer of an object. */
export function setTimer(timer: Omit<TimerRecord, 'object'>): Change<TimerRecord> {
  return creation<TimerRecord>(null, { ...timer, object: 'timer' })
}
