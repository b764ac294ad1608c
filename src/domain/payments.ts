import { type Change, type Creation, creation, type Mutation, mutation, type RuleContext } from './changes.ts'
import type { Metadata } from './metadata.ts'
import type { CardDetails } from './payment-methods.ts'

export type PaymentStatus = 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'canceled'
export type ThreeDSecure = null | 'authenticated' | 'failed'
export type Advice = 'try_again_later' | 'update_card' | 'do_not_retry' | 'authenticate'

/** One try to charge a card. */
export interface Payment {
  readonly id: string
  readonly object: 'payment'
  readonly created: number
  readonly livemode: false
  readonly status: PaymentStatus
  readonly amount: number
  readonly currency: string
  readonly amount_refunded: number
  readonly refunded: boolean
  readonly customer: string
  readonly payment_method: string | null
  readonly invoice: string | null
  readonly checkout_session: string | null
  readonly payment_session: string | null
  readonly off_session: boolean
  readonly payment_method_details: {
    readonly type: 'card'
    readonly card: {
      readonly brand: string
      readonly last4: string
      readonly exp_month: number
      readonly exp_year: number
      readonly three_d_secure: ThreeDSecure
    }
  }
  readonly next_action: {
    readonly type: 'redirect_to_url'
    readonly redirect_to_url: { readonly url: string }
  } | null
  readonly failure_code: string | null
  readonly decline_code: string | null
  readonly failure_message: string | null
  readonly outcome: { readonly retryable: boolean; readonly advice: Advice | null }
  readonly succeeded_at: number | null
  readonly failed_at: number | null
  readonly canceled_at: number | null
  readonly canceled_reason: string | null
  readonly metadata: Metadata
  readonly test_clock: string | null
}

export interface Charge {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly customer: string
  readonly payment_method: string | null
  readonly invoice: string | null
  readonly checkout_session: string | null
  readonly payment_session: string | null
  readonly off_session: boolean
  readonly test_clock: string | null
  readonly card: CardDetails
}

export interface Failure {
  readonly code: string
  readonly decline_code: string | null
  readonly message: string
  readonly retryable: boolean
  readonly advice: Advice | null
}

/** A charge attempt begins: `processing` until the issuer answers. */
export function beginPayment(charge: Charge, context: RuleContext): Creation<Payment> {
  const { card } = charge
  return creation('payment.created', {
    id: charge.id,
    object: 'payment',
    created: context.now,
    livemode: false,
    status: 'processing',
    amount: charge.amount,
    currency: charge.currency,
    amount_refunded: 0,
    refunded: false,
    customer: charge.customer,
    payment_method: charge.payment_method,
    invoice: charge.invoice,
    checkout_session: charge.checkout_session,
    payment_session: charge.payment_session,
    off_session: charge.off_session,
    payment_method_details: {
      type: 'card',
      card: {
        brand: card.brand,
        last4: card.last4,
        exp_month: card.exp_month,
        exp_year: card.exp_year,
        three_d_secure: null,
      },
    },
    next_action: null,
    failure_code: null,
    decline_code: null,
    failure_message: null,
    outcome: { retryable: false, advice: null },
    succeeded_at: null,
    failed_at: null,
    canceled_at: null,
    canceled_reason: null,
    metadata: {},
    test_clock: charge.test_clock,
  })
}

/** The issuer said yes; `links` are the invoice and the saved card that only exist from now on. */
export function succeedPayment(
  payment: Payment,
  links: { readonly invoice?: string; readonly payment_method?: string },
  context: RuleContext,
): Mutation<Payment> {
  return mutation('payment.succeeded', payment, {
    ...authenticated(payment, payment.status === 'requires_action' ? 'authenticated' : null),
    ...links,
    status: 'succeeded',
    next_action: null,
    outcome: { retryable: false, advice: null },
    succeeded_at: context.now,
  })
}

/** The issuer, or the buyer in 3-D Secure, said no. */
export function failPayment(payment: Payment, failure: Failure, context: RuleContext): Mutation<Payment> {
  const was = payment.status === 'requires_action'
  const threeDSecure = failure.code === 'authentication_failed' ? 'failed' : 'authenticated'
  return mutation('payment.failed', payment, {
    ...authenticated(payment, was ? threeDSecure : null),
    status: 'failed',
    next_action: null,
    failure_code: failure.code,
    decline_code: failure.decline_code,
    failure_message: failure.message,
    outcome: { retryable: failure.retryable, advice: failure.advice },
    failed_at: context.now,
  })
}

/** The issuer asks the buyer to prove it is them, at `{checkout_url}/3ds/<payment>`. */
export function challengePayment(payment: Payment, context: RuleContext): Mutation<Payment> {
  return mutation('payment.requires_action', payment, {
    ...payment,
    status: 'requires_action',
    next_action: {
      type: 'redirect_to_url',
      redirect_to_url: { url: `${context.checkoutUrl}/3ds/${payment.id}` },
    },
    outcome: { retryable: false, advice: 'authenticate' },
  })
}

/** A waiting attempt ends unfinished: a new one began, the session expired, or the customer was deleted. */
export function cancelPayment(payment: Payment, reason: string, context: RuleContext): Mutation<Payment> {
  return mutation('payment.canceled', payment, {
    ...payment,
    status: 'canceled',
    next_action: null,
    outcome: { retryable: false, advice: null },
    canceled_at: context.now,
    canceled_reason: reason,
  })
}

/** So much of a succeeded payment has now been given back, in minor units. */
export function changeRefunded(
  event: 'payment.refunded' | 'payment.updated',
  payment: Payment,
  amountRefunded: number,
): Mutation<Payment> {
  const refunded = amountRefunded === payment.amount
  return mutation(event, payment, { ...payment, amount_refunded: amountRefunded, refunded })
}

/** `payment.canceled` when an attempt still waits for its buyer, else nothing; one in processing cannot be canceled. */
export function cancelWaiting(payment: Payment | null, reason: string, context: RuleContext): Change[] {
  return payment?.status === 'requires_action' ? [cancelPayment(payment, reason, context)] : []
}

/** Whether the attempt still waits for an issuer or a buyer. */
export function isPendingPayment(payment: Payment): boolean {
  return payment.status === 'processing' || payment.status === 'requires_action'
}

function authenticated(payment: Payment, threeDSecure: ThreeDSecure): Payment {
  const { card } = payment.payment_method_details
  return {
    ...payment,
    payment_method_details: { type: 'card', card: { ...card, three_d_secure: threeDSecure } },
  }
}
