import { type Attempt, type EnteredCard, submitEntered } from '../../domain/card-submission.ts'
import type { Change, Decision, RuleContext } from '../../domain/changes.ts'
import { createCheckoutSession } from '../../domain/checkout-sessions.ts'
import type { Customer } from '../../domain/customers.ts'
import { DEFAULT_DUNNING } from '../../domain/dunning.ts'
import { eventOf } from '../../domain/events.ts'
import { createPaymentSession } from '../../domain/payment-sessions.ts'
import { findCardByAlias } from '../../domain/test-cards.ts'
import {
  EXAMPLE_CHECKOUT,
  EXAMPLE_IDS,
  EXAMPLE_NOW,
  EXAMPLE_PAYMENT,
} from '../operations/example-requests.ts'

/** The context in which the examples happen: one id of each kind, and a time that stands still. */
export const EXAMPLE_WORLD: RuleContext = {
  now: EXAMPLE_NOW,
  wallNow: EXAMPLE_NOW,
  newId: (prefix) => EXAMPLE_IDS[prefix],
  fingerprint: () => 'Zk8LrT5mYpJc7XdF',
  checkoutUrl: 'http://127.0.0.1:4101',
  dunning: DEFAULT_DUNNING,
}
const CVC = '123'

/** A checkout session whose buyer gives a card, and all that follows from that. */
export function sellSubscription(customer: Customer, card = 'visa') {
  const session = createCheckoutSession(EXAMPLE_CHECKOUT, customer, EXAMPLE_WORLD).after
  const { changes } = submitEntered(attemptOf(session, customer), cardNamed(card), EXAMPLE_WORLD)
  return { session, changes }
}

/** What a buyer with a test card does on the page of a payment session. */
export function tryToPay(customer: Customer, card: string): Decision<unknown> {
  const session = createPaymentSession(EXAMPLE_PAYMENT, customer, EXAMPLE_WORLD).after
  return submitEntered(attemptOf(session, customer), cardNamed(card), EXAMPLE_WORLD)
}

function attemptOf(session: Attempt['session'], customer: Customer): Attempt {
  return {
    session,
    customer,
    waiting: null,
    waitingPayment: null,
    invoiceCounter: null,
    alternations: null,
    recentFailures: [],
    traceless: null,
  }
}

function cardNamed(alias: string): EnteredCard {
  const number = findCardByAlias(alias)?.number
  return { number, exp_month: 12, exp_year: 2031, cvc: CVC, name: 'Ada Lovelace' }
}

/** The event that a change causes, as it is told. */
export function exampleEvent(change: Change, context: RuleContext = EXAMPLE_WORLD): object {
  const request = { id: EXAMPLE_IDS.req_, idempotency_key: null }
  const event = eventOf(change, request, context)
  if (event === null) throw new Error('the example has no event')
  return { ...event, pending_webhooks: 1, sequence: 12 }
}
