import type { ModelDecline, ModelSchedule } from './cards.ts'

/** A test clock, or real time. */
export interface Clock {
  now: number
  state: 'ready' | 'advancing' | 'deleted'
}

export interface Customer {
  readonly clock: Clock
  card: Card | null
  isDeleted: boolean
  /** Number of charges with the alternating card. */
  charges: number
}

/** An entered card: its alias, and the first second after its expiry. */
export interface ModelCardDetails {
  readonly alias: string
  readonly expiry: number
}

/** A saved card. */
export interface Card extends ModelCardDetails {
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
  readonly entered: ModelCardDetails
  readonly isOffSession: boolean
  readonly session: Session | null
  invoice: Invoice | null
  card: Card | null
  status: 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'canceled'
  error: ModelDecline | null
  refunded: number
}

export interface Refund {
  readonly payment: Payment
  readonly amount: number
  status: 'pending' | 'succeeded' | 'failed'
  /** Time and result of the settlement; null when it is final. */
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
  error: ModelDecline | null
  isOutOfBand: boolean
  isOverdueTold: boolean
  readonly payments: Payment[]
}

/** The billing terms of a subscription. */
export interface Terms {
  readonly rhythm: ModelSchedule
  readonly items: readonly Item[]
  /** Null for charged invoices; otherwise the days until sent invoices are due. */
  readonly daysUntilDue: number | null
}

/** The terms of a checkout session. Without a start, the subscription starts at completion. */
export interface CheckoutOffer extends Omit<Terms, 'rhythm'> {
  readonly rhythm: Omit<ModelSchedule, 'anchor'>
  readonly start: number | null
}

/** A pending 3-D Secure authentication, or a pending decision of a slow issuer. */
export interface PendingDecision {
  readonly entered: ModelCardDetails
  /** Null when the card is only saved. */
  readonly payment: Payment | null
  /** Wall time of the issuer's decision; null for 3-D Secure. */
  readonly answersAt: number | null
}

export interface Session {
  readonly customer: Customer
  /** Null for a payment session. */
  readonly offer: CheckoutOffer | null
  readonly amount: number
  readonly expires: number
  status: 'open' | 'complete' | 'expired'
  owes: 'unpaid' | 'paid' | 'no_payment_required'
  ended: { readonly at: number; readonly why: 'completed' | 'time' | 'api' | 'customer_deleted' } | null
  waiting: PendingDecision | null
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

/** The dunning policy. */
export interface DunningPolicy {
  readonly retry_days: readonly number[]
  readonly on_exhausted: 'cancel' | 'unpaid' | 'past_due'
}

/** The outcome of a step: success, a decline with its code, another error, or busy while the clock advances. */
export type StepOutcome = 'ok' | 'refused' | 'busy' | { readonly declined: string }
