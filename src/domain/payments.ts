import { type Change, type Creation, creation, type Mutation, mutation, type RuleContext } from './changes.ts'
import type { Metadata } from './metadata.ts'
import type { CardDetails } from './payment-methods.ts'

export type PaymentStatus = 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'canceled'
export type ThreeDSecureResult = null | 'authenticated' | 'failed'
export type DeclineAdvice = 'try_again_later' | 'update_card' | 'do_not_retry' | 'authenticate'

/** One attempt to charge a card. */
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
      readonly three_d_secure: ThreeDSecureResult
    }
  }
  readonly next_action: {
    readonly type: 'redirect_to_url'
    readonly redirect_to_url: { readonly url: string }
  } | null
  readonly failure_code: string | null
  readonly decline_code: string | null
  readonly failure_message: string | null
  readonly outcome: { readonly retryable: boolean; readonly advice: DeclineAdvice | null }
  readonly succeeded_at: number | null
  readonly failed_at: number | null
  readonly canceled_at: number | null
  readonly canceled_reason: string | null
  readonly metadata: Metadata
  readonly test_clock: string | null
}

export interface PaymentFields {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly customer: string
  readonly payment_method?: string | null
  readonly invoice?: string | null
  readonly checkout_session?: string | null
  readonly payment_session?: string | null
  readonly off_session: boolean
  readonly test_clock: string | null
  readonly card: CardDetails
}

export interface PaymentFailure {
  readonly code: string
  readonly decline_code: string | null
  readonly message: string
  readonly retryable: boolean
  readonly advice: DeclineAdvice | null
}

/** Creates a payment with status `processing`, before the issuer's decision. */
export function createPayment(fields: PaymentFields, context: RuleContext): Creation<Payment> {
  const { card } = fields
  return creation('payment.created', {
    id: fields.id,
    object: 'payment',
    created: context.now,
    livemode: false,
    status: 'processing',
    amount: fields.amount,
    currency: fields.currency,
    amount_refunded: 0,
    refunded: false,
    customer: fields.customer,
    payment_method: fields.payment_method ?? null,
    invoice: fields.invoice ?? null,
    checkout_session: fields.checkout_session ?? null,
    payment_session: fields.payment_session ?? null,
    off_session: fields.off_session,
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
    test_clock: fields.test_clock,
  })
}

/** Marks a payment as succeeded. `links` are the invoice and saved card that are created with it. */
export function succeedPayment(
  payment: Payment,
  links: { readonly invoice?: string; readonly payment_method?: string },
  context: RuleContext,
): Mutation<Payment> {
  return mutation('payment.succeeded', payment, {
    ...withThreeDSecure(payment, payment.status === 'requires_action' ? 'authenticated' : null),
    ...links,
    status: 'succeeded',
    next_action: null,
    outcome: { retryable: false, advice: null },
    succeeded_at: context.now,
  })
}

/** Marks a payment as failed: the issuer declined it, or the cardholder rejected it in 3-D Secure. */
export function failPayment(
  payment: Payment,
  failure: PaymentFailure,
  context: RuleContext,
): Mutation<Payment> {
  const isChallenged = payment.status === 'requires_action'
  const result = failure.code === 'authentication_failed' ? 'failed' : 'authenticated'
  return mutation('payment.failed', payment, {
    ...withThreeDSecure(payment, isChallenged ? result : null),
    status: 'failed',
    next_action: null,
    failure_code: failure.code,
    decline_code: failure.decline_code,
    failure_message: failure.message,
    outcome: { retryable: failure.retryable, advice: failure.advice },
    failed_at: context.now,
  })
}

/** Requires 3-D Secure authentication of the cardholder at `{checkout_url}/3ds/<payment>`. */
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

/** Cancels an unfinished payment: a new attempt replaces it, its session expired, or its customer was deleted. */
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

/** Sets the refunded amount of a succeeded payment, in minor units. */
export function setAmountRefunded(
  event: 'payment.refunded' | 'payment.updated',
  payment: Payment,
  amountRefunded: number,
): Mutation<Payment> {
  const refunded = amountRefunded === payment.amount
  return mutation(event, payment, { ...payment, amount_refunded: amountRefunded, refunded })
}

/**
 * Cancels a payment that requires authentication; other payments are unchanged. Processing payments cannot be canceled.
 */
export function cancelUnauthenticatedPayment(
  payment: Payment | null,
  reason: string,
  context: RuleContext,
): Change[] {
  return payment?.status === 'requires_action' ? [cancelPayment(payment, reason, context)] : []
}

/** Returns whether a payment is waiting for the issuer or the cardholder. */
export function isPendingPayment(payment: Payment): boolean {
  return payment.status === 'processing' || payment.status === 'requires_action'
}

function withThreeDSecure(payment: Payment, threeDSecure: ThreeDSecureResult): Payment {
  const { card } = payment.payment_method_details
  return {
    ...payment,
    payment_method_details: { type: 'card', card: { ...card, three_d_secure: threeDSecure } },
  }
}
