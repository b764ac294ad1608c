/** Whether the outcome of an event is good, bad or neutral for the merchant. */
export type EventOutcome = 'good' | 'bad' | 'neutral'

/** The cause, the action of a webhook handler and the outcome of an event type. */
export type EventDescription = readonly [when: string, action: string, outcome?: EventOutcome]

/**
 * The cause of each event, the action of a webhook handler and the outcome (default: `neutral`), in the order of the
 * documentation. The OpenAPI document, the reference at `/docs` and the guide contain these descriptions.
 */
export const EVENT_DESCRIPTIONS = {
  'customer.created': ['The API creates a customer.', 'Store the customer id with your user.'],
  'customer.updated': [
    'A field of a customer changes, such as the default card or the credit in `balances`.',
    'Update your copy of the customer.',
  ],
  'customer.deleted': [
    'The API deletes a customer. The open sessions of the customer expire, the subscriptions end and the cards are detached.',
    'Remove your copy of the customer and expect no more payments.',
  ],
  'checkout_session.created': ['The API creates a checkout session.', 'No action needed.'],
  'checkout_session.completed': [
    'The customer completes a checkout session. The event is the last event of the session.',
    'Store the subscription id. Grant access on `invoice.paid`.',
    'good',
  ],
  'checkout_session.expired': [
    'A checkout session reaches `expires_at`, or the API expires the session.',
    'Offer the customer a new session.',
    'bad',
  ],
  'payment_session.created': ['The API creates a payment session.', 'No action needed.'],
  'payment_session.completed': [
    'The payment of a payment session succeeds, its amount is reserved with `capture_method: manual`, or its debit begins.',
    'Fulfill the order if `payment_status` is `paid`. Capture a reserved amount when you fulfill the order. Wait for the outcome of a debit.',
    'good',
  ],
  'payment_session.updated': [
    'The reserved amount of a complete payment session is captured; `payment_status` becomes `paid`.',
    'Fulfill the order.',
    'good',
  ],
  'payment_session.payment_succeeded': ['The debit of a session succeeds.', 'Fulfill the order.', 'good'],
  'payment_session.payment_failed': [
    'The debit of a complete payment session fails; the session stays `unpaid`.',
    'Cancel the order, or send the customer a new payment session.',
    'bad',
  ],
  'payment_session.expired': [
    'A payment session reaches `expires_at`, or the API expires the session.',
    'Release reserved stock.',
    'bad',
  ],
  'card_session.created': ['The API creates a card session.', 'No action needed.'],
  'card_session.completed': [
    'The customer saves a new card in a card session. The event is the last event of the session.',
    'Thank the customer. Restore access on `subscription.recovered`.',
    'good',
  ],
  'card_session.expired': [
    'A card session reaches `expires_at`, or the API expires the session.',
    'Offer the customer a new session.',
    'bad',
  ],
  'portal_session.created': ['The API creates a portal session.', 'No action needed.'],
  'portal_session.expired': [
    'A portal session reaches `expires_at`, an hour after its creation, or the API expires the session.',
    'No action needed.',
  ],
  'payment_method.attached': [
    'A card is saved to a customer.',
    "Show the card on the customer's account page.",
  ],
  'payment_method.detached': [
    'A saved card is removed from its customer.',
    'Ask the customer for another card if subscriptions remain.',
  ],
  'payment.created': ['A charge attempt or a debit begins.', 'No action needed.'],
  'payment.requires_action': [
    'A charge attempt waits for 3-D Secure authentication.',
    'No action needed while the customer is on the hosted page. For an API payment, send the customer to the URL in `next_action`.',
  ],
  'payment.authorized': [
    'The amount of a payment with `capture_method: manual` is reserved.',
    'Capture or cancel the payment before `capture_before`.',
    'good',
  ],
  'payment.succeeded': [
    'A charge succeeds, or a reserved amount is captured; `amount_captured` is the collected amount.',
    'Record the payment. Fulfill orders on `payment_session.completed` or `invoice.paid`; for API payments, fulfill orders on this event.',
    'good',
  ],
  'payment.failed': [
    'A charge is declined, or a debit is returned.',
    'Use `decline_code` for your statistics. A hosted page shows the decline to the customer. Inform the customer yourself after an API payment and, for an invoice, on `invoice.payment_failed`.',
    'bad',
  ],
  'payment.canceled': [
    'A charge attempt is replaced, is canceled or expires while the attempt waits for 3-D Secure authentication or capture.',
    'No action needed for sessions and invoices. For an API payment, ask the customer to pay again. A reserved amount is released.',
    'bad',
  ],
  'payment.refunded': [
    'A refund is created; `amount_refunded` increases.',
    'Reverse the order in proportion to the refund.',
  ],
  'payment.updated': [
    'A refund fails, and `amount_refunded` decreases; or a dispute begins or is won, and `amount_disputed` changes.',
    'Correct your accounting records.',
  ],
  'subscription.created': [
    'A completed checkout session creates a subscription. The first invoice may still be unpaid.',
    'Store the subscription. Grant access on `invoice.paid`.',
  ],
  'subscription.started': [
    'A subscription with a future `start_date`, or after a trial, begins its first paid period.',
    'Do not grant access yet. Wait for `invoice.paid`.',
    'good',
  ],
  'subscription.trial_will_end': [
    'A trial ends in three days. For a trial of up to three days, the event is sent at the start of the trial.',
    'Remind the customer of the first charge. Ask for a card if `default_payment_method` is null.',
  ],
  'subscription.renewed': [
    'A new period begins, before its invoice is paid.',
    'Do not grant access yet. Wait for `invoice.paid`.',
  ],
  'subscription.past_due': [
    'A charge of an open invoice fails, or the due date of the invoice passes.',
    'Warn the customer. Keep or limit access, if an earlier invoice was paid.',
    'bad',
  ],
  'subscription.unpaid': [
    'All retries of an invoice fail, with `serve --on-exhausted unpaid`.',
    'Suspend access.',
    'bad',
  ],
  'subscription.recovered': [
    'A past due or unpaid subscription has no overdue invoice left.',
    'Restore access.',
    'good',
  ],
  'subscription.paused': [
    'A trial ends without a card, with `missing_payment_method: pause`.',
    'Suspend access. Ask the customer for a card, then resume the subscription.',
    'bad',
  ],
  'subscription.resumed': [
    'The API resumes a paused subscription. The first paid period begins.',
    'Do not grant access yet. Wait for `invoice.paid`.',
    'good',
  ],
  'subscription.updated': [
    'A field of a subscription changes, such as `cancel_at_period_end`, or its discount or a pause of its collection ends.',
    'Update your copy of the subscription.',
  ],
  'subscription.canceled': [
    'A subscription ends: by the API, at the end of its period, after the last retry, or after a trial without a card.',
    'Revoke access.',
    'bad',
  ],
  'invoice.created': ['An invoice is created as a draft.', 'No action needed.'],
  'invoice.finalized': [
    'An invoice gets its number and becomes open.',
    'Store the number and `hosted_invoice_url`.',
  ],
  'invoice.sent': [
    'An invoice with `collection_method: send_invoice` becomes open and waits for the customer.',
    'Send `hosted_invoice_url` to the customer.',
  ],
  'invoice.overdue': ['The due date of a sent invoice passes.', 'Send a reminder.', 'bad'],
  'invoice.paid': [
    'An invoice is paid in full, also out of band or with nothing due.',
    'Grant access until the end of the period.',
    'good',
  ],
  'invoice.payment_failed': [
    'A charge of an invoice fails. `next_payment_attempt` is the time of the next retry.',
    'Ask the customer for another card.',
    'bad',
  ],
  'invoice.payment_action_required': [
    'A charge of an invoice needs 3-D Secure authentication.',
    'Send `hosted_invoice_url` to the customer.',
  ],
  'invoice.voided': [
    'The API voids an invoice, or the collection of its subscription is paused.',
    'Remove the open amount.',
  ],
  'invoice.marked_uncollectible': [
    'The API marks an invoice as uncollectible, or the collection of its subscription is paused. The invoice can still be paid.',
    'Write the amount off.',
    'bad',
  ],
  'invoice.updated': [
    'Collection stops or skips an attempt without another event.',
    'Update your copy of the invoice.',
  ],
  'invoice_item.created': [
    'The API creates an invoice item, or a change of a subscription prorates an item.',
    'No action needed. The next invoice of the subscription bills the item.',
  ],
  'invoice_item.updated': [
    'An invoice bills an invoice item; the field `invoice` contains the id of the invoice.',
    'No action needed. The lines of the invoice contain the item.',
  ],
  'invoice_item.deleted': [
    'The API deletes a pending invoice item, or its subscription ends without a last invoice.',
    'Remove your copy of the item.',
  ],
  'coupon.created': ['The API creates a coupon.', 'No action needed.'],
  'coupon.updated': [
    'A customer redeems a coupon; `times_redeemed` increases. The event also occurs when the API changes the name or metadata.',
    'Update your copy of the coupon. With `valid: false`, stop offering the coupon.',
  ],
  'coupon.deleted': ['The API deletes a coupon. Running discounts continue.', 'Stop offering the coupon.'],
  'promotion_code.created': ['The API creates a promotion code.', 'No action needed.'],
  'promotion_code.updated': [
    'A customer redeems a promotion code; `times_redeemed` increases. The event also occurs when the API changes `active` or the metadata.',
    'Update your copy of the promotion code.',
  ],
  'refund.created': ['A refund is created.', 'Record the refund.'],
  'refund.updated': ['A pending refund succeeds.', 'Inform the customer.'],
  'refund.failed': ['A succeeded refund fails later.', 'Repay the customer in another way.', 'bad'],
  'dispute.created': [
    'The cardholder disputes a payment, or the bank inquires about a payment (`status` starts with `warning_`).',
    'Submit evidence before `evidence_due_by`, or refund the payment of an inquiry.',
    'bad',
  ],
  'dispute.funds_withdrawn': [
    'The bank withdraws the amount of a dispute.',
    'Subtract the amount from your balance.',
    'bad',
  ],
  'dispute.updated': ['Evidence is saved or submitted.', 'No action needed.'],
  'dispute.closed': [
    'A dispute is won or lost, or an inquiry ends; `status` has the result.',
    'After a loss, write the amount off and decide whether the customer keeps access.',
  ],
  'dispute.funds_reinstated': [
    'The bank returns the amount of a dispute that you won.',
    'Add the amount to your balance.',
    'good',
  ],
  'test_clock.created': ['The API creates a test clock.', 'Ignore all `test_clock` events outside of tests.'],
  'test_clock.advancing': ['An advance of a test clock begins.', 'No action needed.'],
  'test_clock.ready': ['An advance of a test clock is complete.', 'Continue your test.'],
  'test_clock.internal_failure': [
    'An advance fails, or the API breaks the clock on purpose.',
    'Let your test fail.',
    'bad',
  ],
  'test_clock.deleting': ['The deletion of a test clock and its customers begins.', 'No action needed.'],
  'test_clock.deleted': ['The deletion of a test clock is complete.', 'No action needed.'],
} as const satisfies Readonly<Record<string, EventDescription>>

export type EventType = keyof typeof EVENT_DESCRIPTIONS

type ObjectOf<T> = T extends `${infer Name}.${string}` ? Name : never
/** The `object` of an object that has events, such as `invoice_item`. */
export type EventObjectName = ObjectOf<EventType>

/** Every event type in the order of the documentation. */
export const EVENT_TYPES = Object.keys(EVENT_DESCRIPTIONS) as readonly EventType[]

/** Returns whether the objects of a resource or collection have events. */
export function hasEventTypes({ object }: { readonly object: string }): boolean {
  return EVENT_TYPES.some((type) => type.startsWith(`${object}.`))
}
