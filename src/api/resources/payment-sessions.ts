import type { PaymentSession } from '../../domain/payment-sessions.ts'
import {
  address,
  currencyCode,
  head,
  money,
  oneOf,
  orNull,
  reference,
  resource,
  tail,
  words,
} from './fields.ts'
import { paymentMethodTypes, sessionEnd, sessionStatus } from './sessions.ts'

/** A payment session as answers show it. */
export const paymentSession = resource<PaymentSession>(
  'payment_session',
  'One payment to collect through a shareable url.',
  {
    ...head('payment_session', 'session'),
    url: address('The page where the buyer pays; it stays when the session is over.'),
    status: sessionStatus,
    payment_status: oneOf(['unpaid', 'paid'], 'Whether the buyer has paid.'),
    customer: reference('The customer who will pay.'),
    amount: money('What the buyer pays.'),
    currency: currencyCode('The currency of the amount.'),
    description: orNull(words('What the payment is for, shown to the buyer.')),
    payment_method_types: paymentMethodTypes,
    return_url: address('Where the buyer goes after paying.'),
    ...sessionEnd,
    ...tail,
  },
)
