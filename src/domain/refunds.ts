import { type Change, creation, type Mutation, mutation, type RuleContext } from './changes.ts'
import { formatAmount } from './currencies.ts'
import { DomainError } from './domain-error.ts'
import type { Metadata } from './metadata.ts'
import { type Payment, setAmountRefunded } from './payments.ts'
import { refundBehaviorOf } from './test-cards.ts'
import { setTimer } from './timers.ts'

export type RefundReason = 'duplicate' | 'fraudulent' | 'requested_by_customer'

/** A partial or full refund of one payment; `amount` in minor units. */
export interface Refund {
  readonly id: string
  readonly object: 'refund'
  readonly created: number
  readonly livemode: false
  readonly payment: string
  readonly customer: string
  readonly amount: number
  readonly currency: string
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly reason: RefundReason | null
  readonly failure_reason: string | null
  readonly metadata: Metadata
  readonly test_clock: string | null
}

export interface RefundFields {
  readonly amount?: number
  readonly reason?: RefundReason
  readonly metadata?: Metadata
}

const SETTLING_SECONDS = 3600

/** Refunds a payment (default: the remaining amount). Throws when the amount exceeds the remaining amount. */
export function createRefund(
  payment: Payment,
  fields: RefundFields,
  context: RuleContext,
): { readonly changes: Change[]; readonly result: Refund } {
  const amount = refundAmount(payment, fields.amount)
  const behavior = refundBehaviorOf(payment.payment_method_details.card)
  const id = context.newId('re_')
  const created = creation<Refund>('refund.created', {
    id,
    object: 'refund',
    created: context.now,
    livemode: false,
    payment: payment.id,
    customer: payment.customer,
    amount,
    currency: payment.currency,
    status: behavior === 'later' ? 'pending' : 'succeeded',
    reason: fields.reason ?? null,
    failure_reason: null,
    metadata: fields.metadata ?? {},
    test_clock: payment.test_clock,
  })
  const refunded = setAmountRefunded('payment.refunded', payment, payment.amount_refunded + amount)
  const what = behavior === 'later' ? 'refund_succeeds' : 'refund_fails'
  const at = context.now + SETTLING_SECONDS
  const timer = setTimer({ id, what, at, test_clock: payment.test_clock })
  return {
    changes: [created, refunded, ...(behavior === 'at_once' ? [] : [timer])],
    result: created.after,
  }
}

function refundAmount(payment: Payment, requested: number | undefined): number {
  if (payment.status !== 'succeeded') {
    throw new DomainError(
      'payment_not_refundable',
      `Payment '${payment.id}' is ${payment.status}, and only succeeded payments can be refunded.`,
      { param: 'payment' },
    )
  }
  const { amount, currency } = payment
  const remaining = amount - payment.amount_refunded
  if (remaining === 0) {
    throw new DomainError(
      'payment_already_refunded',
      `Payment '${payment.id}' is already refunded in full (${formatAmount(amount, currency)}).`,
      { param: 'payment', skipMasking: true },
    )
  }
  if (requested === undefined || requested <= remaining) return requested ?? remaining
  throw new DomainError(
    'refund_amount_too_large',
    `Refund of ${formatAmount(requested, currency)} exceeds the remaining ${formatAmount(remaining, currency)} of payment '${payment.id}'. Use at most ${remaining}, in minor units.`,
    { param: 'amount', skipMasking: true },
  )
}

/** Marks a pending refund as succeeded. */
export function succeedRefund(refund: Refund): Mutation<Refund> {
  return mutation('refund.updated', refund, { ...refund, status: 'succeeded' })
}

/** Marks a refund as failed, and reduces the refunded amount of its payment. */
export function failRefund(refund: Refund, payment: Payment): Change[] {
  return [
    mutation('refund.failed', refund, {
      ...refund,
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
    }),
    setAmountRefunded('payment.updated', payment, payment.amount_refunded - refund.amount),
  ]
}
