import { type Change, creation, type Mutation, mutation, type RuleContext } from './changes.ts'
import { formatAmount } from './currencies.ts'
import { DomainError } from './domain-error.ts'
import type { Metadata } from './metadata.ts'
import { changeRefunded, type Payment } from './payments.ts'
import { refundBehaviorOf } from './test-cards.ts'
import { setTimer } from './timers.ts'

export type RefundReason = 'duplicate' | 'fraudulent' | 'requested_by_customer'

/** Money given back for one payment, in part or in full; `amount` in minor units. */
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

/** Refunds a payment: the rest of it unless an amount is given, and never more than is left. */
export function createRefund(
  payment: Payment,
  fields: RefundFields,
  context: RuleContext,
): { readonly changes: Change[]; readonly result: Refund } {
  const amount = refundable(payment, fields.amount)
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
  const refunded = changeRefunded('payment.refunded', payment, payment.amount_refunded + amount)
  const what = behavior === 'later' ? 'refund_succeeds' : 'refund_fails'
  const at = context.now + SETTLING_SECONDS
  const timer = setTimer({ id, what, at, test_clock: payment.test_clock })
  return {
    changes: [created, refunded, ...(behavior === 'at_once' ? [] : [timer])],
    result: created.after,
  }
}

function refundable(payment: Payment, asked: number | undefined): number {
  if (payment.status !== 'succeeded') {
    throw new DomainError(
      'payment_not_refundable',
      `Payment '${payment.id}' is ${payment.status}; only a succeeded payment can be refunded.`,
      { param: 'payment' },
    )
  }
  const { amount, currency } = payment
  const left = amount - payment.amount_refunded
  if (left === 0) {
    throw new DomainError(
      'payment_already_refunded',
      `Payment '${payment.id}' has been refunded in full: nothing of its ${formatAmount(amount, currency)} is left.`,
      { param: 'payment', isSafe: true },
    )
  }
  if (asked === undefined || asked <= left) return asked ?? left
  throw new DomainError(
    'refund_amount_too_large',
    `A refund of ${formatAmount(asked, currency)} is more than the ${formatAmount(left, currency)} left of payment '${payment.id}'. Give ${left} or less: an amount is in minor units.`,
    { param: 'amount', isSafe: true },
  )
}

/** The bank has settled a pending refund. */
export function succeedRefund(refund: Refund): Mutation<Refund> {
  return mutation('refund.updated', refund, { ...refund, status: 'succeeded' })
}

/** The bank could not pay a refund out: the payment is refunded by so much less. */
export function failRefund(refund: Refund, payment: Payment): Change[] {
  return [
    mutation('refund.failed', refund, {
      ...refund,
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
    }),
    changeRefunded('payment.updated', payment, payment.amount_refunded - refund.amount),
  ]
}
