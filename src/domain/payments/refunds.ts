import { getRefundBehavior } from '../cards/test-cards.ts'
import { type Change, type ObjectUpdate, type RuleContext, toCreation, toUpdate } from '../core/changes.ts'
import { formatAmount } from '../core/currencies.ts'
import { DomainError } from '../core/domain-error.ts'
import { createMetadata } from '../core/metadata.ts'
import { MAX_PAYMENT_AMOUNT } from '../core/money.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { createTimerChange } from '../time/timers.ts'
import { type Payment, setAmountRefunded } from './payments.ts'
import { getRefundableAmount } from './refundable-amount.ts'

/** The schema of a partial or full refund of one payment. */
export const refundSchema = s.resourceObject('refund', 'A full or partial refund of a payment.', {
  payment: s.id('The refunded payment.'),
  customer: s.id('The customer who receives the refund.'),
  amount: s.amount('The refunded amount.'),
  currency: s.currencyCode('The currency of the payment.'),
  status: s.enumOf(
    ['pending', 'succeeded', 'failed'],
    'Whether the refund is pending, has succeeded, or has failed after it had succeeded.',
  ),
  reason: s.nullable(
    s.enumOf(
      ['duplicate', 'fraudulent', 'requested_by_customer'],
      'The reason for the refund; null if not given.',
    ),
  ),
  failure_reason: s.nullable(s.text('The failure reason; null if the refund did not fail.')),
  ...s.metadataAndClockProperties,
})

export type Refund = s.ValueOf<typeof refundSchema>

const refundAmountParam = p.integer(
  {
    min: 1,
    max: MAX_PAYMENT_AMOUNT,
    errorCodes: { minimum: 'amount_too_small', maximum: 'refund_amount_too_large' },
  },
  'Amount in minor units (default: the remaining amount of the payment).',
)

/** The parameters of a new refund. */
export const refundParams = p.shape(
  { payment: p.id('The payment to refund.') },
  {
    amount: refundAmountParam,
    reason: p.choice(['duplicate', 'fraudulent', 'requested_by_customer'], 'Reason for the refund.'),
    metadata: p.metadata(),
  },
)

export type RefundParams = Omit<s.ValueOf<typeof refundParams>, 'payment'>

const SETTLING_SECONDS = 3600
/** A refund of a debit takes as long as the debit itself. */
const DEBIT_SETTLING_SECONDS = 3 * 86_400

/** Refunds a payment (default: the remaining amount). Throws when the amount exceeds the remaining amount. */
export function createRefund(
  payment: Payment,
  fields: RefundParams,
  context: RuleContext,
): { readonly changes: Change[]; readonly result: Refund } {
  const amount = refundAmount(payment, fields.amount)
  const { card } = payment.payment_method_details
  const behavior = card === null ? 'later' : getRefundBehavior(card)
  const id = context.newId('re_')
  const created = toCreation<Refund>('refund.created', {
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
    metadata: createMetadata(fields.metadata),
    test_clock: payment.test_clock,
  })
  const refunded = setAmountRefunded('payment.refunded', payment, payment.amount_refunded + amount)
  const what = behavior === 'later' ? 'refund_succeeds' : 'refund_fails'
  const at = context.now + (card === null ? DEBIT_SETTLING_SECONDS : SETTLING_SECONDS)
  const timer = createTimerChange({ id, what, at, test_clock: payment.test_clock })
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
  const { amount_captured: collected, currency } = payment
  if (payment.refunded) {
    throw new DomainError(
      'payment_already_refunded',
      `Payment '${payment.id}' is already refunded in full (${formatAmount(collected, currency)}).`,
      { param: 'payment', skipMasking: true },
    )
  }
  const remaining = getRefundableAmount(payment)
  if (remaining > 0 && (requested === undefined || requested <= remaining)) return requested ?? remaining
  if (payment.amount_disputed > 0) throw createDisputedError(payment, remaining)
  throw new DomainError(
    'refund_amount_too_large',
    `Refund of ${formatAmount(requested ?? collected, currency)} exceeds the remaining ${formatAmount(remaining, currency)} of payment '${payment.id}'. Use at most ${remaining}, in minor units.`,
    { param: 'amount', skipMasking: true },
  )
}

function createDisputedError({ id, amount_disputed, currency }: Payment, remaining: number): DomainError {
  const advice =
    remaining === 0
      ? 'Respond to the dispute first'
      : `Use at most ${remaining}, in minor units, or respond to the dispute first`
  return new DomainError(
    'payment_disputed',
    `Cannot refund payment '${id}': disputes withdrew ${formatAmount(amount_disputed, currency)}, and ${formatAmount(remaining, currency)} can be refunded. ${advice}: GET /v1/disputes?payment=${id}.`,
    { param: remaining === 0 ? 'payment' : 'amount', skipMasking: true },
  )
}

/** Marks a pending refund as succeeded. */
export function succeedRefund(refund: Refund): ObjectUpdate<Refund> {
  return toUpdate('refund.updated', refund, { ...refund, status: 'succeeded' })
}

/** Marks a refund as failed, and reduces the refunded amount of its payment. */
export function failRefund(refund: Refund, payment: Payment): Change[] {
  return [
    toUpdate('refund.failed', refund, {
      ...refund,
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
    }),
    setAmountRefunded('payment.updated', payment, payment.amount_refunded - refund.amount),
  ]
}
