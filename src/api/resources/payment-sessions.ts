import { amount, currencyCode, id, metadataAndClock, nullable, oneOf, text, url } from './fields.ts'
import { defineResource } from './resource.ts'
import { paymentMethodTypes, sessionEnd, sessionStatus } from './sessions.ts'

/** The payment session resource. */
export const paymentSession = defineResource('payment_sessions', {
  url: url('The page on which the customer pays. It shows the result after the session has ended.'),
  status: sessionStatus,
  payment_status: oneOf(['unpaid', 'paid'], 'Whether the customer has paid.'),
  customer: id('Customer of the payment.'),
  amount: amount('The amount to pay.'),
  currency: currencyCode('The currency of the amount.'),
  description: nullable(text('The description that the customer sees; null if none was given.')),
  payment_method_types: paymentMethodTypes,
  return_url: url('The page that the customer returns to.'),
  ...sessionEnd,
  ...metadataAndClock,
})
