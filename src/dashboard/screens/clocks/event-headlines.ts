import { humanizeName } from '../../../presentation/words.ts'
import type { AxisEvent } from './axis-events.ts'

type Headline = readonly [type: string, words?: string]

/**
 * The event types that best summarize events at the same time, most important first: state events, then money events.
 * The words describe projected events (default: the words of the type).
 */
const STATES: readonly Headline[] = [
  ['subscription.canceled', 'Ends'],
  ['subscription.unpaid', 'Becomes unpaid'],
  ['subscription.recovered', 'Recovers'],
  ['subscription.past_due', 'Becomes past due'],
  ['subscription.paused', 'Is paused: the trial ends without a card'],
  ['subscription.resumed'],
  ['checkout_session.completed'],
  ['payment_session.payment_failed'],
  ['payment_session.payment_succeeded'],
  ['payment_session.completed'],
  ['card_session.completed'],
  ['subscription.started', 'The first paid period begins'],
  ['subscription.renewed', 'Renews'],
  ['subscription.trial_will_end', 'Three days until the trial ends'],
  ['subscription.created'],
  ['checkout_session.expired'],
  ['payment_session.expired'],
  ['card_session.expired'],
  ['portal_session.expired'],
]
const MONEY: readonly Headline[] = [
  ['invoice.payment_failed', 'A retry is declined'],
  ['invoice.paid', 'The invoice is paid'],
  ['invoice.payment_action_required'],
  ['invoice.overdue', 'The invoice is overdue'],
  ['invoice.marked_uncollectible', 'The invoice is marked uncollectible'],
  ['dispute.closed'],
  ['dispute.created'],
  ['refund.failed'],
  ['refund.updated'],
  ['refund.created'],
  ['payment.failed'],
  ['payment.succeeded', 'A charge succeeds'],
  ['payment.authorized'],
  ['payment.requires_action'],
  ['payment.canceled'],
  ['invoice.sent'],
  ['invoice.finalized'],
]
const WORDS: ReadonlyMap<string, string | undefined> = new Map(
  [...STATES, ...MONEY].map(([type, words]) => [type, words]),
)

/**
 * Returns the events that best summarize events at the same time: at most one state event and one money event, or
 * otherwise the first event.
 */
export function selectHeadlineEvents<E extends Pick<AxisEvent, 'type'>>(events: readonly E[]): E[] {
  const selected = [STATES, MONEY].flatMap((headlines) =>
    headlines.flatMap(([type]) => events.find((event) => event.type === type) ?? []).slice(0, 1),
  )
  return selected.length > 0 ? selected : events.slice(0, 1)
}

/** Describes projected events of the same time, such as `Renews`. */
export function describeProjected(events: readonly Pick<AxisEvent, 'type'>[]): string {
  const [{ type } = { type: '' }] = selectHeadlineEvents(events)
  return WORDS.get(type) ?? humanizeName(type.replace('.', ' '))
}
