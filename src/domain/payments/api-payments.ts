import {
  getAlternatingDecision,
  type IssuerBehavior,
  isDependentOnAttemptNumber,
} from '../cards/test-cards.ts'
import type { Change, Decision, RuleContext } from '../core/changes.ts'
import {
  type Counter,
  getAlternatingCounterId,
  getPaymentAttemptCounterId,
  incrementCounter,
} from '../core/counters.ts'
import { DomainError, requireStatus } from '../core/domain-error.ts'
import * as p from '../core/params.ts'
import type { ValueOf } from '../core/schema.ts'
import { type Authentication, createAuthentication, removeAuthentication } from './authentications.ts'
import { captureMethodParam } from './capture-method.ts'
import {
  AUTHENTICATION_REQUIRED_FAILURE,
  createDeclineError,
  getDecisionAfterAuthentication,
  getSavedCardDecision,
  toPaymentFailure,
} from './card-authorization.ts'
import type { Customer } from './customers.ts'
import { approvePayment } from './payment-approval.ts'
import { type CardDetails, getInstrument, isBankAccount, type PaymentMethod } from './payment-methods.ts'
import {
  type CreatePaymentOptions,
  cancelPayment,
  createPayment,
  failPayment,
  type Payment,
  type PaymentFailure,
  requirePaymentAuthentication,
} from './payments.ts'

/** The parameters of a charge of a saved card. */
export const apiPaymentParams = p.shape(
  {
    amount: p.amount(1, 'Amount in minor units: 1250 with eur is 12.50 EUR.'),
    currency: p.currency('Currency as a lower-case ISO 4217 code.'),
    customer: p.id('Customer to charge.'),
  },
  {
    payment_method: p.id('Saved card to charge (default: the default card of the customer).'),
    off_session: p.boolean('Whether the customer is absent and cannot authenticate (default: true).'),
    capture_method: captureMethodParam,
    description: p.text(5000, 'Description of the payment, shown to the customer in 3-D Secure.'),
    metadata: p.metadata(),
  },
)

export type ApiPaymentParams = ValueOf<typeof apiPaymentParams>

/** A customer with the records that charging one of their cards requires. */
export interface SavedCardChargeRecords {
  readonly customer: Customer
  /** The card to charge; null if no card is given and the customer has no default card. */
  readonly card: PaymentMethod | null
  /** The counter of the customer's charges with the test card that approves every other charge. */
  readonly alternatingCharges: Counter | null
  /** The counter of the off-session API payments with the card. */
  readonly cardAttempts: Counter | null
}

/** A payment with its pending 3-D Secure authentication, if any. */
export interface PaymentWithAuthentication {
  readonly payment: Payment
  readonly authentication: Authentication | null
}

/**
 * Charges a saved card once, without an invoice or a session. If the charge is declined or requires 3-D Secure
 * authentication, stores the payment and returns a 402 error.
 */
export function chargeSavedCard(
  records: SavedCardChargeRecords,
  fields: ApiPaymentParams,
  context: RuleContext,
): Decision<Payment> {
  const card = records.card ?? throwCardMissing(records.customer)
  const isOffSession = fields.off_session ?? true
  const { id: payment_method, test_clock } = card
  const instrument = getInstrument(card)
  const charge = { ...fields, payment_method, card: instrument, off_session: isOffSession, test_clock }
  if (isBankAccount(instrument)) return debitAccount(charge, context)
  const { counted, issuer } = decideCharge(
    records,
    { id: payment_method, card: instrument },
    isOffSession,
    context,
  )
  const created = createPayment({ ...charge, id: context.newId('py_') }, context)
  const changes = [...counted, created]
  const payment = created.after
  if (issuer.kind === 'approve') {
    const approved = approvePayment(payment, {}, context)
    return { changes: [...changes, approved], result: approved.after }
  }
  const stopped =
    issuer.kind === 'challenge'
      ? requestAuthentication(payment, { ...card, card: instrument }, context)
      : failApiPayment(payment, toPaymentFailure(issuer), context)
  return { ...stopped, changes: [...changes, ...stopped.changes] }
}

// The outcome of a debit is known only after days, so the payment stays processing.
function debitAccount(charge: Omit<CreatePaymentOptions, 'id'>, context: RuleContext): Decision<Payment> {
  if (charge.capture_method === 'manual') {
    throw new DomainError(
      'payment_method_type_unsupported',
      `Cannot reserve an amount on '${charge.payment_method}': a direct debit cannot be reserved. Use capture_method automatic, or a saved card.`,
      { param: 'capture_method' },
    )
  }
  const created = createPayment({ ...charge, id: context.newId('py_') }, context)
  return { changes: [created], result: created.after }
}

type SavedCard = Pick<PaymentMethod, 'id'> & { readonly card: CardDetails }

type Verdict = Exclude<IssuerBehavior, { readonly kind: 'slow' | 'alternate' }>

function decideCharge(
  { customer, alternatingCharges, cardAttempts }: SavedCardChargeRecords,
  { id, card }: SavedCard,
  isOffSession: boolean,
  context: RuleContext,
): { readonly counted: readonly Change[]; readonly issuer: Verdict } {
  const attempt = (cardAttempts?.value ?? 0) + 1
  const issuer = getSavedCardDecision(card, { customer: customer.id, isOffSession, attempt }, context)
  if (issuer.kind === 'alternate') {
    return {
      counted: [incrementCounter(alternatingCharges, getAlternatingCounterId(customer.id))],
      issuer: getAlternatingDecision(alternatingCharges?.value ?? 0),
    }
  }
  const isCounted = isOffSession && isDependentOnAttemptNumber(card.test_behavior)
  return {
    counted: isCounted ? [incrementCounter(cardAttempts, getPaymentAttemptCounterId(id))] : [],
    issuer,
  }
}

function requestAuthentication(
  payment: Payment,
  { card, billing_details: { name } }: SavedCard & Pick<PaymentMethod, 'billing_details'>,
  context: RuleContext,
): Decision<Payment> {
  const { id } = payment
  const challenged = requirePaymentAuthentication(payment, context)
  const pending = createAuthentication({ id, payment: id, card, name })
  return {
    changes: [challenged, pending],
    error: createDeclineError(AUTHENTICATION_REQUIRED_FAILURE, challenged.after),
  }
}

function failApiPayment(payment: Payment, failure: PaymentFailure, context: RuleContext): Decision<Payment> {
  const failed = failPayment(payment, failure, context)
  return { changes: [failed], error: createDeclineError(failure, failed.after) }
}

/**
 * Ends the 3-D Secure authentication of an API payment: an approval passes the charge to the issuer, a rejection fails
 * the payment.
 */
export function completePaymentAuthentication(
  { payment, authentication }: PaymentWithAuthentication,
  isApproved: boolean,
  context: RuleContext,
): Decision<Payment> {
  requireStatus(payment, ['requires_action'], 'authenticate')
  if (authentication === null) throw new Error(`${payment.id} has no authentication`)
  const request = { customer: payment.customer, isSetup: false, isApproved }
  const issuer = getDecisionAfterAuthentication(authentication.card, request, context)
  const ended = removeAuthentication(authentication)
  if (issuer.kind === 'decline') {
    const failed = failApiPayment(payment, toPaymentFailure(issuer), context)
    return { ...failed, changes: [...ended, ...failed.changes] }
  }
  const approved = approvePayment(payment, {}, context)
  return { changes: [...ended, approved], result: approved.after }
}

/** Cancels a payment that requires 3-D Secure authentication or capture; the session or invoice does not change. */
export function cancelPaymentOnRequest(
  { payment, authentication }: PaymentWithAuthentication,
  context: RuleContext,
): Decision<Payment> {
  requireStatus(payment, ['requires_action', 'requires_capture'], 'cancel')
  const canceled = cancelPayment(payment, 'requested', context)
  return { changes: [canceled, ...removeAuthentication(authentication)], result: canceled.after }
}

/** Cancels an API payment whose cardholder did not authenticate in time, or a payment that was not captured in time. */
export function cancelExpiredPayment(
  { payment, authentication }: PaymentWithAuthentication,
  context: RuleContext,
): Change[] {
  const reason = payment.status === 'requires_capture' ? 'expired' : 'abandoned'
  return [cancelPayment(payment, reason, context), ...removeAuthentication(authentication)]
}

function throwCardMissing({ id }: Customer): never {
  throw new DomainError(
    'payment_method_missing',
    `Customer '${id}' has no default card. Pass a saved card as payment_method, or save a card with a checkout session, or with save_payment_method of a payment session.`,
    { param: 'payment_method' },
  )
}
