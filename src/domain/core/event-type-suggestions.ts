import { matchesGlob } from '../text/globs.ts'
import { EVENT_TYPES } from './event-types.ts'

/** The replacements of Stripe's event names, which are applied in this order. */
const STRIPE_NAMES: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^charge\.(dispute|refund)\./, '$1.'],
  [/^(?:charge|payment_intent)\.(?:payment_)?/, 'payment.'],
  [/^checkout\.session\.async_/, 'payment_session.'],
  [/^checkout\.session\./, 'checkout_session.'],
  [/^customer\.subscription\.deleted$/, 'subscription.canceled'],
  [/^customer\.subscription\./, 'subscription.'],
  [/^invoice\.payment_succeeded$/, 'invoice.paid'],
  [/^invoiceitem\./, 'invoice_item.'],
  [/^setup_intent\.succeeded$/, 'card_session.completed'],
  [/^test_helpers\./, ''],
]

/** Translates an event type or glob with Stripe's names, such as `payment_intent.*`, to the names of this API. */
export function translateStripeEventType(glob: string): string {
  return STRIPE_NAMES.reduce((text, [pattern, name]) => text.replace(pattern, name), glob)
}

/**
 * Returns a hint for an unknown event type: the type with this name at Stripe, the event types of its object, or all
 * objects with events.
 */
export function formatEventTypeSuggestion(unknown: string): string {
  const known = translateStripeEventType(unknown)
  if (EVENT_TYPES.some((type) => matchesGlob(known, type))) return `Did you mean '${known}'?`
  const [object = ''] = known.split('.')
  const similar = EVENT_TYPES.filter((type) => type.startsWith(`${object}.`))
  const objects = new Set(EVENT_TYPES.map((type) => type.split('.')[0]))
  return similar.length === 0
    ? `The objects are ${[...objects].join(', ')}.`
    : `There are ${similar.join(', ')}.`
}
