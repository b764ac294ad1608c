import { amount, currencyCode, id, metadataAndClock, nullable, oneOf, text } from './fields.ts'
import { defineResource } from './resource.ts'

/** The refund resource. */
export const refund = defineResource('refunds', {
  payment: id('The refunded payment.'),
  customer: id('The customer who receives the refund.'),
  amount: amount('The refunded amount.'),
  currency: currencyCode('The currency of the payment.'),
  status: oneOf(
    ['pending', 'succeeded', 'failed'],
    'Whether the refund is pending, has reached the customer, or has failed.',
  ),
  reason: nullable(
    oneOf(
      ['duplicate', 'fraudulent', 'requested_by_customer'],
      'Why the payment was refunded; null if no reason was given.',
    ),
  ),
  failure_reason: nullable(text('Why the refund failed; null if it did not.')),
  ...metadataAndClock,
})
