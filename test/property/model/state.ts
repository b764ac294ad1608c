import type { Declined, Rhythm } from './cards.ts'

/** A time of its own, or the time of the wall. */
export interface Clock {
  now: number
  state: 'ready' | 'advancing' | 'deleted'
}

export interface Customer {
  readonly clock: Clock
  card: Card | null
  isDeleted: boolean
  /** Charges with the card that alternates. */
  charges: number
}

/** A card as it was entered: its row in the table, and the first moment at which it is no longer valid. */
export interface Entered {
  readonly alias: string
  readonly expiry: number
}

/** A card somebody saved. */
export interface Card extends Entered {
  readonly customer: Customer
  isAttached: boolean
}

export interface Item {
  readonly amount: number
  readonly ppm: number
}

export interface Payment {
  readonly customer: Customer
  readonly created: number
  readonly amount: number
  readonly entered: Entered
  readonly isOffSession: boolean
  readonly session: Session | null
  invoice: Invoice | null
  card: Card | null
  status: 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'canceled'
  error: Declined | null
  refunded: number
}

export interface Refund {
  readonly payment: Payment
  readonly amount: number
  status: 'pending' | 'succeeded' | 'failed'
  /** When the bank settles it, and how; null when nothing is to come. */
  settles: { readonly at: number; readonly as: 'succeeded' | 'failed' } | null
}

export interface Invoice {
  readonly subscription: Subscription
  readonly start: number
  readonly end: number
  readonly created: number
  readonly isFirst: boolean
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  number: number | null
  due: number | null
  isCollected: boolean
  attempts: number
  next: number | null
  error: Declined | null
  isOutOfBand: boolean
  isOverdueTold: boolean
  readonly payments: Payment[]
}

/** What a subscription bills, and how. */
export interface Terms {
  readonly rhythm: Rhythm
  readonly items: readonly Item[]
  /** Null is charged, a number is sent and due after so many days. */
  readonly daysUntilDue: number | null
}

/** What a checkout session offers: as a subscription's terms, but it may begin whenever it is completed. */
export interface Offer extends Omit<Terms, 'rhythm'> {
  readonly rhythm: Omit<Rhythm, 'anchor'>
  readonly start: number | null
}

/** What a buyer who was asked, or an issuer who takes its time, has not answered yet. */
export interface Wait {
  readonly entered: Entered
  /** Null where a card is only saved. */
  readonly payment: Payment | null
  /** When the issuer answers by itself, on the wall; null where the buyer is asked. */
  readonly answersAt: number | null
}

export interface Session {
  readonly customer: Customer
  /** Null of a payment session. */
  readonly offer: Offer | null
  readonly amount: number
  readonly expires: number
  status: 'open' | 'complete' | 'expired'
  owes: 'unpaid' | 'paid' | 'no_payment_required'
  ended: { readonly at: number; readonly why: 'completed' | 'time' | 'api' | 'customer_deleted' } | null
  waiting: Wait | null
  subscription: Subscription | null
  card: Card | null
  readonly payments: Payment[]
}

export interface Subscription {
  readonly customer: Customer
  readonly terms: Terms
  status: 'pending' | 'active' | 'past_due' | 'unpaid' | 'canceled'
  index: number
  card: Card | null
  endsWithPeriod: boolean
  canceledAt: number | null
  endedAt: number | null
  reason: 'requested' | 'payment_failed' | 'customer_deleted' | null
  readonly invoices: Invoice[]
}

/** How failed invoices are collected. */
export interface Policy {
  readonly retry_days: readonly number[]
  readonly on_exhausted: 'cancel' | 'unpaid' | 'past_due'
}

/** What an operation comes to: done, declined with a code, not allowed, or not now because its clock is moving. */
export type Outcome = 'ok' | 'refused' | 'busy' | { readonly declined: string }
