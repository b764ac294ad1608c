import type { ResourceName } from './catalog.ts'

/** Patterns of Stripe's resource names, as in its paths and CLI commands, each with the resource of this API. */
export const STRIPE_RESOURCES: readonly (readonly [pattern: RegExp, resource: ResourceName])[] = [
  [/^(?:charges?|payment_intents?)\b/, 'payments'],
  [/^setup_intents?\b/, 'card_sessions'],
  [/^checkout[/ ]sessions?\b/, 'checkout_sessions'],
  [/^billing_portal(?:[/ ]\w+s)?\b/, 'portal_sessions'],
  [/^payment_links?\b/, 'payment_sessions'],
  [/^invoiceitems?\b/, 'invoice_items'],
]

/** The requests that this API does not have, as method and path below /v1, and the requests to use instead. */
const REPLACED_REQUESTS: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    / (?:prices|products|plans)\b/,
    'Prices are part of subscription_data[items] of POST /v1/checkout_sessions.',
  ],
  [
    /^POST subscriptions$/,
    'A completed checkout session creates the subscription: use POST /v1/checkout_sessions with subscription_data[items], which is paycli checkout create.',
  ],
  [
    /^POST invoices$/,
    'Subscriptions create their invoices. To bill an item on the next invoice, use POST /v1/invoice_items, which is paycli invoice-items create.',
  ],
  [/^\w+ invoices\/(?:create_preview|upcoming)\b/, 'Use POST /v1/subscriptions/:id/preview.'],
  [
    /^(?:POST|PUT|PATCH) invoices\/\w+$/,
    'To change an invoice, use POST /v1/invoices/:id/pay, /finalize, /void or /mark_uncollectible.',
  ],
  [/^DELETE invoices\/\w+$/, 'Use POST /v1/invoices/:id/void.'],
  [/^\w+ invoices\/\w+\/send$/, 'Send the customer the hosted_invoice_url of GET /v1/invoices/:id.'],
  [
    /^(?:POST|PUT|PATCH) invoice_items\/\w+$/,
    'Create another item with POST /v1/invoice_items, and delete this item with DELETE /v1/invoice_items/:id.',
  ],
  [
    /^POST payments\/\w+\/confirm$/,
    'A payment is confirmed when it is created. To approve 3-D Secure, use POST /v1/test_helpers/payments/:id/authenticate.',
  ],
  [
    /^(?:POST|PUT|PATCH|DELETE) payments\/\w+(?:\/refunds?)?$/,
    'To change a payment, use POST /v1/payments/:id/capture or /cancel, or POST /v1/refunds.',
  ],
  [
    /^(?:POST|PUT|PATCH|DELETE) refunds\/\w+/,
    'A refund cannot be changed. To refund more of the payment, use POST /v1/refunds.',
  ],
  [/^POST disputes$/, 'Cardholders dispute payments: use POST /v1/test_helpers/payments/:id/dispute.'],
  [
    /^POST events$/,
    'To cause an event, use paycli trigger <event>; to send an event again, use POST /v1/events/:id/resend.',
  ],
  [
    /^POST webhook_deliveries$/,
    'To send an event again, use POST /v1/events/:id/resend or POST /v1/webhook_deliveries/:id/send.',
  ],
  [/^GET payment_methods$/, 'Use GET /v1/customers/:id/payment_methods.'],
  [
    /^(?:POST|PUT|PATCH) (?:customers\/\w+\/)?(?:payment_methods|sources|tokens|cards)(?:\/\w+)?(?:\/attach)?$/,
    'The customer saves a card on a page: use POST /v1/card_sessions, which is paycli card-sessions create.',
  ],
  [
    /^(?:POST|PUT|PATCH|DELETE) \w+_sessions\/\w+$/,
    'A session cannot be changed. Use POST on its path with /expire, and create another session.',
  ],
  [/^DELETE promotion_codes\/\w+$/, 'Use POST /v1/promotion_codes/:id with active false.'],
  [/^(?:POST|PUT|PATCH) api_keys\/\w+$/, 'Use POST /v1/api_keys/:id/roll, or DELETE /v1/api_keys/:id.'],
  [/ (?:balance|balance_transactions|reporting\/\S+)$/, 'Use GET /v1/statistics.'],
]

/** Returns a sentence with the requests to use instead of a request that this API does not have, or null. */
export function findReplacementHint(method: string, path: string): string | null {
  const request = `${method} ${path.replace(/^\/v1\//, '')}`
  return REPLACED_REQUESTS.find(([pattern]) => pattern.test(request))?.[1] ?? null
}
