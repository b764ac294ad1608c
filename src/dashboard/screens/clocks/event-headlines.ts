import type { AxisEvent } from './axis-events.ts'

/** The types that describe events of the same time best, the most important first: states, then money. */
const STATES: readonly string[] = [
  'subscription.canceled',
  'subscription.unpaid',
  'subscription.recovered',
  'subscription.past_due',
  'subscription.paused',
  'subscription.resumed',
  'checkout_session.completed',
  'payment_session.payment_failed',
  'payment_session.payment_succeeded',
  'payment_session.completed',
  'card_session.completed',
  'subscription.started',
  'subscription.renewed',
  'subscription.trial_will_end',
  'subscription.created',
  'checkout_session.expired',
  'payment_session.expired',
  'card_session.expired',
  'portal_session.expired',
]
const MONEY: readonly string[] = [
  'invoice.payment_failed',
  'invoice.paid',
  'invoice.payment_action_required',
  'invoice.overdue',
  'invoice.marked_uncollectible',
  'dispute.closed',
  'dispute.created',
  'refund.failed',
  'refund.updated',
  'refund.created',
  'payment.failed',
  'payment.succeeded',
  'payment.authorized',
  'payment.requires_action',
  'payment.canceled',
  'invoice.sent',
  'invoice.finalized',
]

/** Returns the one or two events that describe events of the same time best: a state event and a money event. */
export function selectHeadlineEvents<E extends Pick<AxisEvent, 'type'>>(events: readonly E[]): E[] {
  const selected = [STATES, MONEY].flatMap((types) =>
    types.flatMap((type) => events.find((event) => event.type === type) ?? []).slice(0, 1),
  )
  return selected.length > 0 ? selected : events.slice(0, 1)
}
