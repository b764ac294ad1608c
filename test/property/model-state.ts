import type { Declined, Rhythm } from './model-cards.ts'

/** A card somebody saved. */
export interface Card {
  readonly alias: string
  readonly customer: Customer
  /** The first moment at which it is no longer valid. */
  readonly expiry: number
  isAttached: boolean
}

/** A time of its own, or the time of the wall. */
export interface Clock {
  now: number
  isDeleted: boolean
}

export interface Customer {
  readonly clock: Clock
  card: Card | null
  isDeleted: boolean
  /** Charges with the card that alternates. */
  charges: number
}

export interface Item {
  readonly amount: number
  readonly ppm: number
}

export interface Payment {
  readonly invoice: Invoice
  readonly card: Card
  readonly isOffSession: boolean
  status: 'succeeded' | 'failed' | 'requires_action' | 'canceled'
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

/** What an operation comes to: done, declined with a code, or not allowed. */
export type Outcome = 'ok' | 'refused' | { readonly declined: string }
