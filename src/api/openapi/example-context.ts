import { findCardByAlias } from '../../domain/cards/test-cards.ts'
import { findTestIban } from '../../domain/cards/test-ibans.ts'
import { createCardSession } from '../../domain/completion/card-sessions.ts'
import {
  type EnteredPaymentMethod,
  type SessionCompletionRecords,
  submitSession,
} from '../../domain/completion/session-submission.ts'
import type { Change, Creation, Decision, RuleContext, StoredObject } from '../../domain/core/changes.ts'
import { DEFAULT_DUNNING_POLICY } from '../../domain/core/dunning.ts'
import { type Event, toEvent } from '../../domain/events/events.ts'
import type { Customer } from '../../domain/payments/customers.ts'
import { type CheckoutSession, createCheckoutSession } from '../../domain/sessions/checkout-sessions.ts'
import {
  createPaymentSession,
  type PaymentSession,
  type PaymentSessionParams,
} from '../../domain/sessions/payment-sessions.ts'
import { createPortalSession } from '../../domain/sessions/portal-sessions.ts'
import { expireSession } from '../../domain/sessions/sessions.ts'
import type { AnyOperation, ParamsOf } from '../core/operation.ts'
import { cardSessions } from '../operations/card-sessions.ts'
import { checkoutSessions } from '../operations/checkout-sessions.ts'
import { EXAMPLE_IDS, EXAMPLE_NOW, getExampleId } from '../operations/example-requests.ts'
import { paymentSessions } from '../operations/payment-sessions.ts'
import { portalSessions } from '../operations/portal-sessions.ts'

/** The rule context of all examples: one id of each type at a fixed time. */
export const EXAMPLE_CONTEXT: RuleContext = {
  now: EXAMPLE_NOW,
  wallNow: EXAMPLE_NOW,
  newId: getExampleId,
  fingerprint: () => 'Zk8LrT5mYpJc7XdF',
  checkoutUrl: 'http://127.0.0.1:4101',
  dunning: DEFAULT_DUNNING_POLICY,
}

/** Returns the example parameters of an operation. */
export function getExampleParams<O extends AnyOperation>({ example }: O): ParamsOf<O> {
  return example as ParamsOf<O>
}

/** Returns the creation of the example of a checkout session. */
export function createExampleCheckoutSession(customer: Customer): Creation<CheckoutSession> {
  return createCheckoutSession(getExampleParams(checkoutSessions.create), customer, EXAMPLE_CONTEXT)
}

/** Returns the creation of the example of a payment session; `fields` are further parameters. */
export function createExamplePaymentSession(
  customer: Customer,
  fields: Partial<PaymentSessionParams> = {},
): Creation<PaymentSession> {
  const params = { ...getExampleParams(paymentSessions.create), ...fields }
  return createPaymentSession(params, customer, EXAMPLE_CONTEXT)
}

/** Returns the changes after a cardholder submits a test card to a checkout session. */
export function completeExampleCheckout(customer: Customer, card = 'visa'): readonly Change[] {
  const session = createExampleCheckoutSession(customer).after
  return submitSession(createSessionRecords(session, customer), enteredTestCard(card), EXAMPLE_CONTEXT)
    .changes
}

/** Returns the decision after a cardholder submits a test card to a payment session; `fields` are further parameters. */
export function payExampleSession(
  customer: Customer,
  card: string,
  fields: Partial<PaymentSessionParams> = {},
): Decision<unknown> {
  const session = createExamplePaymentSession(customer, fields).after
  return submitSession(createSessionRecords(session, customer), enteredTestCard(card), EXAMPLE_CONTEXT)
}

/** Returns the creation of a card session, and the changes after a cardholder submits a test card to this session. */
export function completeExampleCardSession(customer: Customer) {
  const created = createCardSession(
    getExampleParams(cardSessions.create),
    { customer, subscription: null },
    EXAMPLE_CONTEXT,
  )
  const cardUpdate = { subscriptions: [], invoices: [] }
  const records = { ...createSessionRecords(created.after, customer), cardUpdate }
  const { changes } = submitSession(records, enteredTestCard('visa'), EXAMPLE_CONTEXT)
  return { created, completed: changes }
}

/** Returns the creation of a portal session, and its expiry. */
export function expireExamplePortalSession(customer: Customer): readonly Change[] {
  const created = createPortalSession(getExampleParams(portalSessions.create), customer, EXAMPLE_CONTEXT)
  return [created, ...expireSession(created.after, { reason: 'time', payment: null }, EXAMPLE_CONTEXT)]
}

function createSessionRecords(
  session: SessionCompletionRecords['session'],
  customer: Customer,
): SessionCompletionRecords {
  return {
    session,
    customer,
    authentication: null,
    pendingPayment: null,
    invoiceCounter: null,
    alternatingCharges: null,
    recentFailures: [],
    declineLog: null,
    cardUpdate: null,
    redemption: null,
    enteredCode: null,
  }
}

function enteredTestCard(alias: string): EnteredPaymentMethod {
  const iban = findTestIban(alias)?.iban
  if (iban !== undefined) return { iban, name: 'Ada Lovelace' }
  const number = findCardByAlias(alias)?.number
  return { number, exp_month: 12, exp_year: 2031, cvc: '123', name: 'Ada Lovelace' }
}

/** Returns the event of a change as a webhook endpoint receives it. */
export function createExampleEvent(change: Change, context: RuleContext): Event {
  const request = { id: EXAMPLE_IDS.request_logs, idempotency_key: null }
  const event = toEvent(change, request, context)
  if (event === null) throw new Error('the change has no event')
  return { ...event, pending_webhooks: 1, sequence: 12 }
}

/** Adds the event of each change whose type has no example yet. */
export type AddEvents = (changes: readonly Change[], context?: RuleContext) => void

/** A day in seconds. */
export const SECONDS_PER_DAY = 86_400

/** Returns the context of the examples some days later. */
export function createContextAfter(days: number): RuleContext {
  const now = EXAMPLE_NOW + days * SECONDS_PER_DAY
  return { ...EXAMPLE_CONTEXT, now, wallNow: now }
}

/** Returns the last state of an object in a list of changes. */
export function getLastState<T extends StoredObject>(changes: readonly Change[], object: T['object']): T {
  const found = changes.findLast(({ after }) => after?.object === object)?.after
  if (!found) throw new Error(`the example has no ${object}`)
  return found as T
}
