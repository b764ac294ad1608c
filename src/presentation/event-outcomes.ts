import type { EventType } from '../domain/core/event-types.ts'

/** Whether an event is good or bad news for the merchant. */
export type EventOutcome = 'good' | 'bad' | 'neutral'

const OUTCOMES: Readonly<Record<EventType, EventOutcome>> = {
  'customer.created': 'neutral',
  'customer.updated': 'neutral',
  'customer.deleted': 'neutral',
  'checkout_session.created': 'neutral',
  'checkout_session.completed': 'good',
  'checkout_session.expired': 'bad',
  'payment_session.created': 'neutral',
  'payment_session.completed': 'good',
  'payment_session.expired': 'bad',
  'card_session.created': 'neutral',
  'card_session.completed': 'good',
  'card_session.expired': 'bad',
  'payment_method.attached': 'neutral',
  'payment_method.detached': 'neutral',
  'payment.created': 'neutral',
  'payment.requires_action': 'neutral',
  'payment.succeeded': 'good',
  'payment.failed': 'bad',
  'payment.canceled': 'bad',
  'payment.refunded': 'neutral',
  'payment.updated': 'neutral',
  'subscription.created': 'neutral',
  'subscription.started': 'good',
  'subscription.trial_will_end': 'neutral',
  'subscription.renewed': 'neutral',
  'subscription.past_due': 'bad',
  'subscription.unpaid': 'bad',
  'subscription.recovered': 'good',
  'subscription.paused': 'bad',
  'subscription.resumed': 'good',
  'subscription.updated': 'neutral',
  'subscription.canceled': 'bad',
  'invoice.created': 'neutral',
  'invoice.finalized': 'neutral',
  'invoice.sent': 'neutral',
  'invoice.overdue': 'bad',
  'invoice.paid': 'good',
  'invoice.payment_failed': 'bad',
  'invoice.payment_action_required': 'neutral',
  'invoice.voided': 'neutral',
  'invoice.marked_uncollectible': 'bad',
  'invoice.updated': 'neutral',
  'invoice_item.created': 'neutral',
  'invoice_item.updated': 'neutral',
  'invoice_item.deleted': 'neutral',
  'refund.created': 'neutral',
  'refund.updated': 'neutral',
  'refund.failed': 'bad',
  'test_clock.created': 'neutral',
  'test_clock.advancing': 'neutral',
  'test_clock.ready': 'neutral',
  'test_clock.internal_failure': 'bad',
  'test_clock.deleting': 'neutral',
  'test_clock.deleted': 'neutral',
}

const OUTCOME_BY_TYPE: ReadonlyMap<string, EventOutcome> = new Map(Object.entries(OUTCOMES))

/** Returns the outcome of a type of event; `neutral` for a type that this version does not know. */
export function outcomeOf(type: string): EventOutcome {
  return OUTCOME_BY_TYPE.get(type) ?? 'neutral'
}

/** Returns the outcome of several events: `bad` if one of them is bad, else `good` if one is good, else `neutral`. */
export function combineOutcomes(outcomes: readonly EventOutcome[]): EventOutcome {
  if (outcomes.includes('bad')) return 'bad'
  return outcomes.includes('good') ? 'good' : 'neutral'
}
