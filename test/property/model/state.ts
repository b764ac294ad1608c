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
  /** Credit by currency: 0 or less. */
  readonly balances: Map<string, number>
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
  /** Number of payments that the API charged to this card off session. */
  directCharges: number
}

/** An item of a subscription: a quantity of units per period. */
export interface Item {
  unit: number
  quantity: number
  ppm: number
}

/** A line of an invoice. The amounts are negative for a credit. */
export interface Line {
  /** The item of the subscription; null for a one-off fee. */
  readonly item: Item | null
  readonly unit: number
  readonly quantity: number
  readonly amount: number
  /** The share of the line in the discount of its invoice (default: 0). */
  readonly discount?: number
  readonly ppm: number
  readonly tax: number
  readonly isProration: boolean
  readonly start: number
  readonly end: number
}

/** A period in Unix seconds. */
export interface Period {
  readonly start: number
  readonly end: number
}

/** A line for the next invoice of a subscription, and the period of the subscription at its creation. */
export interface InvoiceItem {
  readonly period: Period
  readonly customer: Customer
  readonly subscription: Subscription
  readonly line: Line
  invoice: Invoice | null
  isDeleted: boolean
}

/** A coupon: hundredths of a percent, or an amount of a currency. */
export interface Coupon {
  readonly percent: number | null
  readonly off: number | null
  readonly currency: string
  readonly isOnce: boolean
  /** The length of the discounts in months; null for a discount of one invoice or of all invoices. */
  readonly months: number | null
  readonly max: number | null
  uses: number
  isDeleted: boolean
}

/** A promotion code of a coupon. */
export interface PromotionCode {
  readonly coupon: Coupon
  readonly max: number | null
  /** Only customers without a subscription or a successful payment can redeem the code. */
  readonly isFirstOnly: boolean
  /** The end of redemptions on the clock of the customer; null for no end. */
  readonly expires: number | null
  uses: number
  isActive: boolean
}

/** The discount of a subscription. `spentOn` is the invoice that used up a discount of one invoice. */
export interface Discount {
  readonly coupon: Coupon
  readonly code: PromotionCode | null
  readonly start: number
  readonly end: number | null
  readonly spentOn: Invoice | null
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
  /** Whether the entered card becomes the card of the subscription when the payment succeeds. */
  readonly keeps?: boolean
  /** Whether an approval only reserves the amount. */
  readonly isHold: boolean
  status: 'processing' | 'requires_action' | 'requires_capture' | 'succeeded' | 'failed' | 'canceled'
  error: ModelDecline | null
  /** The amount that a success collects, and its time. */
  captured: number
  collectedAt: number
  /** The time at which the reserved amount is released; null if no amount was reserved. */
  heldUntil: number | null
  refunded: number
  isDisputed: boolean
  /** The amount that disputes withdrew and did not reinstate. */
  withdrawn: number
}

/** A dispute of a payment. */
export interface Dispute {
  readonly payment: Payment
  readonly amount: number
  readonly isInquiry: boolean
  /** The time at which the dispute closes without evidence. */
  readonly due: number
  status:
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost'
    | 'warning_needs_response'
    | 'warning_under_review'
    | 'warning_closed'
  funds: 'none' | 'withdrawn' | 'reinstated'
  text: string | null
  submitted: number | null
  closed: number | null
}

export interface Refund {
  readonly payment: Payment
  readonly amount: number
  status: 'pending' | 'succeeded' | 'failed'
  /** The time and result of the settlement; null when the refund is final. */
  settles: { readonly at: number; readonly as: 'succeeded' | 'failed' } | null
}

export interface Invoice {
  readonly subscription: Subscription
  readonly start: number
  readonly end: number
  readonly created: number
  readonly reason: 'create' | 'cycle' | 'update' | 'cancel'
  readonly lines: readonly Line[]
  readonly coupon: Coupon | null
  /** The credit balance before and after finalization; null for drafts. */
  balance: { readonly before: number; readonly after: number } | null
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
  readonly currency: string
  readonly rhythm: ModelSchedule
  readonly items: readonly Item[]
  /** The days until sent invoices are due; null for invoices that charge a card. */
  readonly daysUntilDue: number | null
}

/** The terms of a checkout session. Without a start, the subscription starts at completion. */
export interface CheckoutOffer extends Omit<Terms, 'rhythm'> {
  readonly rhythm: Omit<ModelSchedule, 'anchor'>
  readonly start: number | null
  readonly trial: TrialOffer | null
  readonly coupon: Coupon | null
  /** The promotion code that redeems the coupon; null if the session names the coupon directly. */
  readonly code: PromotionCode | null
}

/** The trial of a checkout session: its length in days, or its end in Unix seconds. */
export interface TrialOffer {
  readonly days: number | null
  readonly end: number | null
  readonly asksCard: boolean
  readonly withoutCard: MissingCardPolicy
}

/** The policy for a trial that ends without a card. */
export type MissingCardPolicy = 'create_invoice' | 'cancel' | 'pause'

/** A trial. `willEnd` is the time of the notice before the end of the trial; null after the notice. */
export interface Trial {
  readonly start: number
  end: number
  readonly withoutCard: MissingCardPolicy
  willEnd: number | null
  /** Whether the subscription is paused after its trial, so that it has no period. */
  isOver: boolean
}

/** A pause of collection. */
export interface Pause {
  readonly behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void'
  readonly resumes: number | null
}

/** The purpose of a card session. */
export interface CardUse {
  readonly for: 'all' | 'customer' | 'subscription'
  readonly subscription: Subscription | null
  readonly pays: boolean
}

/** A pending 3-D Secure authentication, or a pending decision of a slow issuer. */
export interface PendingDecision {
  readonly entered: ModelCardDetails
  /** The pending payment; null when the card is only saved. */
  readonly payment: Payment | null
  /** The wall time of the issuer's decision; null for 3-D Secure. */
  readonly answersAt: number | null
}

export interface Session {
  readonly customer: Customer
  /** The terms of a checkout session; null for other sessions. */
  readonly offer: CheckoutOffer | null
  /** The purpose of a card session; null for other sessions. */
  readonly use: CardUse | null
  /** Whether the session is a portal session, which is never completed. */
  readonly isPortal: boolean
  /** Whether a payment session saves the card. */
  readonly saves: boolean
  /** Whether a payment session only reserves its amount. */
  readonly isHold: boolean
  /** Times of declines without a payment. */
  readonly declines: number[]
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
  terms: Terms
  status: 'pending' | 'trialing' | 'active' | 'past_due' | 'unpaid' | 'paused' | 'canceled'
  index: number
  trial: Trial | null
  pause: Pause | null
  discount: Discount | null
  card: Card | null
  endsWithPeriod: boolean
  canceledAt: number | null
  endedAt: number | null
  reason: CancellationReason | null
  readonly invoices: Invoice[]
}

export type CancellationReason =
  | 'requested'
  | 'payment_failed'
  | 'customer_deleted'
  | 'missing_payment_method'

/** The dunning policy. */
export interface DunningPolicy {
  readonly retry_days: readonly number[]
  readonly on_exhausted: 'cancel' | 'unpaid' | 'past_due'
}

/** The outcome of a step: success, a decline with its code, another error, or busy while the clock advances. */
export type StepOutcome = 'ok' | 'refused' | 'busy' | { readonly declined: string }
