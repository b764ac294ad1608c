import { type Creation, type ObjectUpdate, type RuleContext, toCreation, toUpdate } from '../core/changes.ts'
import { throwValidationErrors, type Unvalidated, type ValidationError } from '../core/domain-error.ts'
import { createMetadata } from '../core/metadata.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { captureMethodParam, captureMethodSchema } from '../payments/capture-method.ts'
import type { Customer } from '../payments/customers.ts'
import {
  DEFAULT_PAYMENT_METHOD_TYPES,
  listMethodTypeErrors,
  paymentMethodTypesParam,
  paymentMethodTypesSchema,
} from './payment-method-types.ts'
import {
  createLeadingSessionFields,
  createTrailingSessionFields,
  listSessionExpiryErrors,
  sessionParams,
  sessionStatusSchema,
  trailingPaidSessionProperties,
} from './sessions.ts'

/** The schema of a payment session. */
export const paymentSessionSchema = s.resourceObject(
  'payment_session',
  'A payment page with a shareable URL, on which a customer makes one payment.',
  {
    url: s.url('The page on which the customer pays. The page shows the result after the session has ended.'),
    status: sessionStatusSchema,
    payment_status: s.enumOf(
      ['unpaid', 'paid'],
      'Whether the payment has succeeded. A complete session is `unpaid` while its amount is only reserved, and before and after a debit that fails.',
    ),
    customer: s.id('Customer of the payment.'),
    amount: s.amount('The amount to pay.'),
    currency: s.currencyCode('The currency of the amount.'),
    description: s.nullable(s.text('The description that the customer sees; null if not given.')),
    payment_method_types: paymentMethodTypesSchema,
    capture_method: captureMethodSchema,
    save_payment_method: s.boolean(
      'Whether the card or bank account is saved to the customer when the session is completed.',
    ),
    payment_method: s.nullable(
      s.id('The saved card or bank account; null before the session is completed, and if it is not saved.'),
    ),
    return_url: s.nullable(s.url('The page to which the customer returns; null if no URL was given.')),
    ...trailingPaidSessionProperties,
    ...s.metadataAndClockProperties,
  },
)

export type PaymentSession = s.ValueOf<typeof paymentSessionSchema>

/** The parameters of a new payment session. */
export const paymentSessionParams = p.shape(
  {
    amount: p.amount(1, 'Amount in minor units: 1250 with eur is 12.50 EUR.'),
    currency: p.currency('Currency as a lower-case ISO 4217 code.'),
    customer: p.id('Customer of the payment.'),
  },
  {
    payment_method_types: paymentMethodTypesParam,
    return_url: p.url(
      'URL to which the customer returns after payment (default: the page becomes a receipt).',
    ),
    description: p.text(5000, 'Description of the payment, shown to the customer.'),
    capture_method: captureMethodParam,
    save_payment_method: p.boolean(
      'Whether to save the card to the customer, to charge it again later (default: false).',
    ),
    ...sessionParams,
  },
)

export type PaymentSessionParams = s.ValueOf<typeof paymentSessionParams>

/** Returns all validation errors of a new payment session. `now` is in Unix seconds; null allows past times. */
export function listPaymentSessionErrors(
  fields: Unvalidated<PaymentSessionParams>,
  now: number | null,
): ValidationError[] {
  return [
    ...listMethodTypeErrors(fields),
    ...validateHoldTypes(fields),
    ...(now === null ? [] : listSessionExpiryErrors(fields.expires_at, now)),
  ]
}

// Returns an error for a direct debit with manual capture, because a debit cannot reserve an amount.
function validateHoldTypes({
  capture_method,
  payment_method_types: types,
}: Unvalidated<PaymentSessionParams>): ValidationError[] {
  if (capture_method !== 'manual' || !Array.isArray(types) || !types.includes('sepa_debit')) return []
  const message =
    'Give capture_method manual or the payment method type "sepa_debit", not both: a direct debit cannot be reserved. Use capture_method automatic, or only "card" and "wallet".'
  return [{ code: 'parameters_exclusive', param: 'capture_method', message }]
}

/** Creates an open session for one payment of `amount`, in minor units. */
export function createPaymentSession(
  fields: PaymentSessionParams,
  customer: Customer,
  context: RuleContext,
): Creation<PaymentSession> {
  throwValidationErrors(listPaymentSessionErrors(fields, context.now))
  return toCreation('payment_session.created', {
    ...createLeadingSessionFields('payment_session', context),
    payment_status: 'unpaid',
    customer: customer.id,
    amount: fields.amount,
    currency: fields.currency,
    description: fields.description ?? null,
    payment_method_types: [...new Set(fields.payment_method_types ?? DEFAULT_PAYMENT_METHOD_TYPES)],
    capture_method: fields.capture_method ?? 'automatic',
    save_payment_method: fields.save_payment_method ?? false,
    payment_method: null,
    return_url: fields.return_url ?? null,
    ...createTrailingSessionFields(fields, context),
    payment: null,
    metadata: createMetadata(fields.metadata),
    test_clock: customer.test_clock,
  })
}

/** Ends the debit of a complete session: the session becomes paid, or stays unpaid permanently. */
export function endSessionDebit(session: PaymentSession, isPaid: boolean): ObjectUpdate<PaymentSession> {
  return isPaid
    ? toUpdate('payment_session.payment_succeeded', session, { ...session, payment_status: 'paid' })
    : toUpdate('payment_session.payment_failed', session, session)
}

/** Marks a complete session as paid, after the capture of its reserved amount. */
export function markSessionPaid(session: PaymentSession): ObjectUpdate<PaymentSession> {
  return toUpdate('payment_session.updated', session, { ...session, payment_status: 'paid' })
}
