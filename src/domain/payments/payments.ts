import { DECLINE_ADVICE, type DeclineAdvice } from '../cards/declines.ts'
import {
  type Change,
  type Creation,
  type ObjectUpdate,
  type RuleContext,
  toCreation,
  toUpdate,
} from '../core/changes.ts'
import { createMetadata } from '../core/metadata.ts'
import * as s from '../core/schema.ts'
import { captureMethodSchema } from './capture-method.ts'
import {
  bankAccountProperties,
  cardProperties,
  type Instrument,
  isBankAccount,
  methodTypeSchema,
  walletSchema,
} from './payment-methods.ts'

const methodDetails = s.object(
  {
    type: methodTypeSchema,
    card: s.nullable(
      s.object(
        {
          ...cardProperties,
          three_d_secure: s.nullable(
            s.enumOf(['authenticated', 'failed'], 'The result of 3-D Secure; null if not required.'),
          ),
          wallet: walletSchema,
        },
        'The card at the time of the charge; null for a bank account.',
      ),
    ),
    sepa_debit: s.nullable(s.object(bankAccountProperties, 'The debited bank account; null for a card.')),
  },
  'The payment method at the time of the charge.',
)

const nextAction = s.object(
  {
    type: s.constant('redirect_to_url', 'The type of the action: the customer opens a page.'),
    redirect_to_url: s.object(
      { url: s.url('The URL of the page on which the customer authenticates.') },
      'The page to redirect the customer to.',
    ),
  },
  'The action that the customer must take before the issuer decides; null if no action is required.',
)

const outcome = s.object(
  {
    retryable: s.boolean('Whether the same card may be charged again.'),
    advice: s.nullable(
      s.enumOf(DECLINE_ADVICE, 'The recommended next step after a decline; null without a recommendation.'),
    ),
  },
  'Advice on a payment that did not succeed.',
)

/** The schema of one attempt to charge a card or a bank account. */
export const paymentSchema = s.resourceObject('payment', 'One attempt to charge a card or a bank account.', {
  status: s.enumOf(
    ['processing', 'requires_action', 'requires_capture', 'succeeded', 'failed', 'canceled'],
    'The state of the payment: the issuer decides or a debit has no outcome yet, the customer must authenticate, the amount is reserved, or the final result.',
  ),
  amount: s.amount('The amount to charge, or to reserve with `capture_method: manual`.'),
  amount_capturable: s.amount('The reserved amount that can still be captured.'),
  amount_captured: s.amount('The collected amount: 0 before the payment succeeds, then at most `amount`.'),
  currency: s.currencyCode('The currency of the amounts.'),
  amount_refunded: s.amount('The amount refunded so far.'),
  refunded: s.boolean('Whether the whole collected amount is refunded.'),
  amount_disputed: s.amount('The amount that disputes withdrew and did not reinstate.'),
  disputed: s.boolean(
    'Whether the cardholder has disputed the payment, including won disputes and inquiries.',
  ),
  capture_method: captureMethodSchema,
  capture_before: s.nullable(
    s.timestamp(
      'Time at which the reserved amount is released if it is not captured; null if no amount was reserved.',
    ),
  ),
  customer: s.id('Customer of the payment.'),
  payment_method: s.nullable(s.id('The saved card or bank account; null if it is not saved.')),
  invoice: s.nullable(s.id('The paid invoice; null if the payment pays no invoice.')),
  checkout_session: s.nullable(s.id('The checkout session of the payment; null without a checkout session.')),
  payment_session: s.nullable(s.id('The payment session of the payment; null without a payment session.')),
  origin: s.enumOf(
    ['api', 'checkout_session', 'payment_session', 'invoice'],
    'The origin of the payment: `POST /v1/payments`, a session, or the collection of an invoice.',
  ),
  description: s.nullable(s.text('The description given with `POST /v1/payments`; null for other payments.')),
  off_session: s.boolean('Whether the customer is absent, as for renewals.'),
  payment_method_details: methodDetails,
  next_action: s.nullable(nextAction),
  failure_code: s.nullable(s.text('The error code of the failure; null if the payment did not fail.')),
  decline_code: s.nullable(s.text('The decline reason of the issuer; null if not given.')),
  failure_message: s.nullable(s.text('The message of a failed payment for the customer; otherwise null.')),
  outcome,
  succeeded_at: s.nullable(
    s.timestamp('Time at which the amount was collected; null if it was not collected.'),
  ),
  failed_at: s.nullable(s.timestamp('Time at which the payment failed; null if it did not fail.')),
  canceled_at: s.nullable(
    s.timestamp('Time at which the payment was canceled; null if it was not canceled.'),
  ),
  canceled_reason: s.nullable(s.text('The cancellation reason; null if the payment was not canceled.')),
  ...s.metadataAndClockProperties,
})

export type Payment = s.ValueOf<typeof paymentSchema>
export type PaymentStatus = Payment['status']
type MethodDetails = Payment['payment_method_details']
type ThreeDSecureResult = NonNullable<MethodDetails['card']>['three_d_secure']

export type CreatePaymentOptions = { readonly card: Instrument } & Partial<
  Pick<
    Payment,
    | 'payment_method'
    | 'invoice'
    | 'checkout_session'
    | 'payment_session'
    | 'capture_method'
    | 'description'
    | 'metadata'
  >
> &
  Pick<Payment, 'id' | 'amount' | 'currency' | 'customer' | 'off_session' | 'test_clock'>

export interface PaymentFailure {
  readonly code: string
  readonly decline_code: string | null
  readonly message: string
  readonly retryable: boolean
  readonly advice: DeclineAdvice | null
}

/** Creates a payment with status `processing`, before the issuer's decision. */
export function createPayment(fields: CreatePaymentOptions, context: RuleContext): Creation<Payment> {
  return toCreation('payment.created', {
    id: fields.id,
    object: 'payment',
    created: context.now,
    livemode: false,
    status: 'processing',
    amount: fields.amount,
    amount_capturable: 0,
    amount_captured: 0,
    currency: fields.currency,
    amount_refunded: 0,
    refunded: false,
    amount_disputed: 0,
    disputed: false,
    capture_method: fields.capture_method ?? 'automatic',
    capture_before: null,
    customer: fields.customer,
    payment_method: fields.payment_method ?? null,
    invoice: fields.invoice ?? null,
    checkout_session: fields.checkout_session ?? null,
    payment_session: fields.payment_session ?? null,
    origin: originOf(fields),
    description: fields.description ?? null,
    off_session: fields.off_session,
    payment_method_details: describeInstrument(fields.card),
    next_action: null,
    failure_code: null,
    decline_code: null,
    failure_message: null,
    outcome: { retryable: false, advice: null },
    succeeded_at: null,
    failed_at: null,
    canceled_at: null,
    canceled_reason: null,
    metadata: createMetadata(fields.metadata),
    test_clock: fields.test_clock,
  })
}

function describeInstrument(instrument: Instrument): MethodDetails {
  if (isBankAccount(instrument)) {
    const { country, last4, mandate } = instrument
    return { type: 'sepa_debit', card: null, sepa_debit: { country, last4, mandate } }
  }
  const { brand, last4, exp_month, exp_year, wallet } = instrument
  const card = { brand, last4, exp_month, exp_year, three_d_secure: null, wallet }
  return { type: 'card', card, sepa_debit: null }
}

// The first invoice of a checkout session is paid in that session.
function originOf({ checkout_session, payment_session, invoice }: CreatePaymentOptions): Payment['origin'] {
  if (checkout_session) return 'checkout_session'
  if (payment_session) return 'payment_session'
  return invoice ? 'invoice' : 'api'
}

/** The invoice and the saved card that are created with a payment. */
export type PaymentReferences = { readonly invoice?: string; readonly payment_method?: string }

/** Marks a payment as succeeded. `links` are the invoice and the saved card that are created with the payment. */
export function succeedPayment(
  payment: Payment,
  links: PaymentReferences,
  context: RuleContext,
): ObjectUpdate<Payment> {
  return toUpdate('payment.succeeded', payment, {
    ...withIssuerApproval(payment, links),
    status: 'succeeded',
    amount_captured: payment.amount,
    succeeded_at: context.now,
  })
}

/** Returns a payment that the issuer approved, without the fields that depend on its new status. */
export function withIssuerApproval(payment: Payment, links: PaymentReferences): Payment {
  return {
    ...withThreeDSecure(payment, payment.status === 'requires_action' ? 'authenticated' : null),
    ...links,
    next_action: null,
    outcome: { retryable: false, advice: null },
  }
}

/** Marks a payment as failed: the issuer declined the charge, or the cardholder rejected the authentication. */
export function failPayment(
  payment: Payment,
  failure: PaymentFailure,
  context: RuleContext,
): ObjectUpdate<Payment> {
  const isChallenged = payment.status === 'requires_action'
  const result = failure.code === 'authentication_failed' ? 'failed' : 'authenticated'
  return toUpdate('payment.failed', payment, {
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
export function requirePaymentAuthentication(payment: Payment, context: RuleContext): ObjectUpdate<Payment> {
  return toUpdate('payment.requires_action', payment, {
    ...payment,
    status: 'requires_action',
    next_action: {
      type: 'redirect_to_url',
      redirect_to_url: { url: `${context.checkoutUrl}/3ds/${payment.id}` },
    },
    outcome: { retryable: false, advice: 'authenticate' },
  })
}

/**
 * Cancels an unfinished payment, for example before a new attempt, and releases a reserved amount. `reason` becomes the
 * `canceled_reason` of the payment.
 */
export function cancelPayment(payment: Payment, reason: string, context: RuleContext): ObjectUpdate<Payment> {
  return toUpdate('payment.canceled', payment, {
    ...payment,
    status: 'canceled',
    amount_capturable: 0,
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
): ObjectUpdate<Payment> {
  const refunded = amountRefunded === payment.amount_captured
  return toUpdate(event, payment, { ...payment, amount_refunded: amountRefunded, refunded })
}

/** Cancels a payment that requires authentication; changes nothing for other payments, such as processing payments. */
export function cancelUnauthenticatedPayment(
  payment: Payment | null,
  reason: string,
  context: RuleContext,
): Change[] {
  return payment?.status === 'requires_action' ? [cancelPayment(payment, reason, context)] : []
}

function withThreeDSecure(payment: Payment, threeDSecure: ThreeDSecureResult): Payment {
  const { payment_method_details: details } = payment
  if (details.card === null) return payment
  const card = { ...details.card, three_d_secure: threeDSecure }
  return { ...payment, payment_method_details: { ...details, card } }
}
