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

/** The requests that this API does not have, as method and path below /v1, and the requests to use instead. */
const REPLACED_REQUESTS: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/ (?:prices|products|plans)\b/, 'Prices are part of the items of POST /v1/checkout_sessions.'],
  [
    /^POST subscriptions$/,
    'A completed checkout session creates the subscription: use POST /v1/checkout_sessions with items, which is paycli checkout create.',
  ],
  [
    /^POST invoices$/,
    'Renewals create the invoices. To bill something on the next one, use POST /v1/invoice_items, which is paycli invoice-items create.',
  ],
  [/^\w+ invoices\/(?:create_preview|upcoming)\b/, 'Use POST /v1/subscriptions/:id/preview.'],
  [
    /^(?:POST|PUT|PATCH) invoices\/\w+$/,
    'An invoice is not edited. Use POST /v1/invoices/:id/pay, /finalize, /void or /mark_uncollectible.',
  ],
  [/^DELETE invoices\/\w+$/, 'Use POST /v1/invoices/:id/void.'],
  [/^\w+ invoices\/\w+\/send$/, 'The invoice has the address of its page: use GET /v1/invoices/:id.'],
  [
    /^(?:POST|PUT|PATCH) invoice_items\/\w+$/,
    'Delete the item with DELETE /v1/invoice_items/:id, and create another with POST /v1/invoice_items.',
  ],
  [
    /^POST payments\/\w+\/confirm$/,
    'A payment is confirmed when it is created. To approve 3-D Secure, use POST /v1/test_helpers/payments/:id/authenticate.',
  ],
  [
    /^(?:POST|PUT|PATCH|DELETE) payments\/\w+(?:\/refunds?)?$/,
    'A payment is not edited. Use POST /v1/payments/:id/capture or /cancel, or POST /v1/refunds.',
  ],
  [
    /^(?:POST|PUT|PATCH|DELETE) refunds\/\w+/,
    'A refund is final. For another part of the payment, use POST /v1/refunds.',
  ],
  [/^POST disputes$/, 'Cardholders dispute payments: use POST /v1/test_helpers/payments/:id/dispute.'],
  [
    /^POST events$/,
    'Changes create the events. To provoke one, use paycli trigger <event>; to send one again, POST /v1/events/:id/resend.',
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
    'A session is not edited. Expire it with POST on its path and /expire, and create another.',
  ],
  [/^DELETE promotion_codes\/\w+$/, 'Use POST /v1/promotion_codes/:id with active false.'],
  [/^(?:POST|PUT|PATCH) api_keys\/\w+$/, 'Use POST /v1/api_keys/:id/roll, or DELETE /v1/api_keys/:id.'],
  [/ (?:balance|balance_transactions|reporting\/\S+)$/, 'Use GET /v1/statistics.'],
]

/** Returns the requests to use instead of one that this API does not have, as a sentence, or null. */
export function findReplacedRequest(method: string, path: string): string | null {
  const request = `${method} ${path.replace(/^\/v1\//, '')}`
  return REPLACED_REQUESTS.find(([pattern]) => pattern.test(request))?.[1] ?? null
}
