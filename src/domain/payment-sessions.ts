import { type Creation, creation, mutation, type RuleContext } from './changes.ts'
import type { Customer } from './customers.ts'
import { throwValidationErrors } from './domain-error.ts'
import type { Metadata } from './metadata.ts'
import type { Payment } from './payments.ts'
import {
  type ExpirationReason,
  getSessionExpiry,
  type SessionStatus,
  validateSessionExpiry,
} from './sessions.ts'

export interface PaymentSession {
  readonly id: string
  readonly object: 'payment_session'
  readonly created: number
  readonly livemode: false
  readonly url: string
  readonly status: SessionStatus
  readonly payment_status: 'unpaid' | 'paid'
  readonly customer: string
  readonly amount: number
  readonly currency: string
  readonly description: string | null
  readonly payment_method_types: readonly string[]
  readonly return_url: string
  readonly client_reference_id: string | null
  readonly expires_at: number
  readonly completed_at: number | null
  readonly expired_at: number | null
  readonly expiration_reason: ExpirationReason | null
  readonly payment: string | null
  readonly metadata: Metadata
  readonly test_clock: string | null
}

export interface PaymentSessionFields {
  readonly amount: number
  readonly currency: string
  readonly customer: string
  readonly payment_method_types: readonly string[]
  readonly return_url: string
  readonly description?: string
  readonly client_reference_id?: string
  readonly expires_at?: number
  readonly metadata?: Metadata
}

/** Creates an open session for one payment of `amount`, in minor units. */
export function createPaymentSession(
  fields: PaymentSessionFields,
  customer: Customer,
  context: RuleContext,
): Creation<PaymentSession> {
  throwValidationErrors(validateSessionExpiry(fields.expires_at, context.now))
  const id = context.newId('py_sess_')
  return creation('payment_session.created', {
    id,
    object: 'payment_session',
    created: context.now,
    livemode: false,
    url: `${context.checkoutUrl}/sessions/${id}`,
    status: 'open',
    payment_status: 'unpaid',
    customer: customer.id,
    amount: fields.amount,
    currency: fields.currency,
    description: fields.description ?? null,
    payment_method_types: [...new Set(fields.payment_method_types)],
    return_url: fields.return_url,
    client_reference_id: fields.client_reference_id ?? null,
    expires_at: getSessionExpiry(fields.expires_at, context),
    completed_at: null,
    expired_at: null,
    expiration_reason: null,
    payment: null,
    metadata: fields.metadata ?? {},
    test_clock: customer.test_clock,
  })
}

/** Completes a paid session. Its event is always the last one of the transaction. */
export function completePaymentSession(session: PaymentSession, payment: Payment, context: RuleContext) {
  return mutation('payment_session.completed', session, {
    ...session,
    status: 'complete',
    payment_status: 'paid',
    payment: payment.id,
    completed_at: context.now,
  } satisfies PaymentSession)
}
