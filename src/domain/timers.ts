import { type Change, creation, removal } from './changes.ts'

/**
 * Something that time does to an object whose own fields do not tell it: private, at most one per object, gone once it
 * has happened.
 */
export interface Timer {
  /** The id of the object it is for. */
  readonly id: string
  readonly object: 'timer'
  readonly what: 'invoice_overdue' | 'refund_succeeds' | 'refund_fails' | 'issuer_answers'
  /** Unix seconds on the clock it runs on. */
  readonly at: number
  /** Null runs in real time. */
  readonly test_clock: string | null
}

/** Sets the one timer of an object. */
export function setTimer(timer: Omit<Timer, 'object'>): Change<Timer> {
  return creation<Timer>(null, { ...timer, object: 'timer' })
}

/** Puts a timer off until a later moment on its clock. */
export function putOff(timer: Timer, at: number): Change<Timer> {
  return setTimer({ ...timer, at })
}

/** Takes a timer away that has happened. */
export function endTimer(timer: Timer): Change {
  return removal(timer)
}
