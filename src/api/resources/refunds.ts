import type { Refund } from '../../domain/refunds.ts'
import { currencyCode, head, money, oneOf, orNull, reference, resource, tail, words } from './fields.ts'

/** A refund as answers show it. */
export const refund = resource<Refund>('refund', 'Money given back for a payment.', {
  ...head('refund', 'refund'),
  payment: reference('The payment it is given back for.'),
  customer: reference('Who gets it.'),
  amount: money('How much.'),
  currency: currencyCode('The currency of the payment.'),
  status: oneOf(['pending', 'succeeded', 'failed'], 'Whether it is on its way, arrived, or came back.'),
  reason: orNull(oneOf(['duplicate', 'fraudulent', 'requested_by_customer'], 'Why it was given back.')),
  failure_reason: orNull(words('Why it came back.')),
  ...tail,
})
