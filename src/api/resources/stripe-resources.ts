import type { ResourceName } from './catalog.ts'

/** The resources that Stripe names differently: the start of a path or of a command of Stripe's CLI, and the resource. */
export const STRIPE_RESOURCES: readonly (readonly [pattern: RegExp, resource: ResourceName])[] = [
  [/^(?:charges?|payment_intents?)\b/, 'payments'],
  [/^setup_intents?\b/, 'card_sessions'],
  [/^checkout[/ ]sessions?\b/, 'checkout_sessions'],
  [/^billing_portal(?:[/ ]\w+s)?\b/, 'portal_sessions'],
  [/^payment_links?\b/, 'payment_sessions'],
  [/^invoiceitems?\b/, 'invoice_items'],
]
