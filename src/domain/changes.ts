import type { DomainError } from './domain-error.ts'
import type { Dunning } from './dunning.ts'
import type { EventType } from './event-types.ts'

/** Anything the store keeps: `object` names its type and so its collection. */
export interface Stored {
  readonly id: string
  readonly object: string
}

/** One mutation. `event` null marks records that have no events of their own (endpoints, deliveries, private records). */
export interface Change<T extends Stored = Stored> {
  readonly event: EventType | null
  readonly before: T | null
  readonly after: T | null
}

/** What a rule decided. A refusal may still change things: a declined card leaves its payment attempt behind. */
export type Decision<R> =
  | { readonly changes: readonly Change[]; readonly result: R }
  | { readonly changes: readonly Change[]; readonly refusal: DomainError }

/** All a rule may know beyond its data; both times in Unix seconds. */
export interface RuleContext {
  /** Now on the object's own clock. */
  readonly now: number
  /** Now on the wall, for what no test clock moves: deliveries, keys, logs. */
  readonly wallNow: number
  readonly newId: (prefix: IdPrefix) => string
  readonly fingerprint: (cardNumber: string) => string
  readonly checkoutUrl: string
  readonly dunning: Dunning
}

export type IdPrefix =
  | 'cus_'
  | 'cks_'
  | 'py_sess_'
  | 'py_'
  | 'pm_'
  | 'sub_'
  | 'si_'
  | 'in_'
  | 'il_'
  | 're_'
  | 'clock_'
  | 'evt_'
  | 'we_'
  | 'whd_'
  | 'key_'
  | 'req_'

export interface Creation<T extends Stored> extends Change<T> {
  readonly before: null
  readonly after: T
}

export interface Mutation<T extends Stored> extends Change<T> {
  readonly before: T
  readonly after: T
}

/** A new object with its `.created` event. */
export function creation<T extends Stored>(event: EventType | null, after: T): Creation<T> {
  return { event, before: null, after }
}

/** A changed object; the event's `previous_attributes` are computed from `before` and `after`. */
export function mutation<T extends Stored>(event: EventType | null, before: T, after: T): Mutation<T> {
  return { event, before, after }
}

/** A record that leaves the store without an event. */
export function removal<T extends Stored>(before: T): Change<T> {
  return { event: null, before, after: null }
}
