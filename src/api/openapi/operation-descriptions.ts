/** What each operation does, for the reference: its effects, its preconditions and its usual errors, by operation id. */
export const OPERATION_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'customers.create':
    'The e-mail address need not be unique: the `id` identifies the customer. With `test_clock`, all sessions, subscriptions and invoices of the customer use the time of that clock.',
  'customers.list':
    'Returns customers that are not deleted. Filter by e-mail address, test clock or creation time.',
  'customers.retrieve':
    'For a deleted customer, the response has only `id`, `object` and `deleted: true`. History such as payments and invoices stays readable.',
  'customers.update':
    'Changes only the parameters in the body; `null` unsets a field. `metadata` is merged key by key. A new `default_payment_method` must be a saved card of this customer and is charged for later renewals.',
  'customers.delete':
    'Also expires the open sessions of the customer, cancels the live subscriptions and detaches the saved cards, all in one transaction. Deletion is final: a deleted customer cannot be changed, and nothing new can be created for it.',
  'checkoutSessions.create':
    'Send the `url` of the response to the cardholder. When the cardholder submits a card, the session saves it, creates a subscription and charges the first invoice, unless `start_date` is in the future or the subscription uses `send_invoice`. Amounts are in minor units; tax is added on top.',
  'checkoutSessions.list':
    'Filter by customer, status, subscription or creation time to find the session of a purchase.',
  'checkoutSessions.retrieve':
    'Use it after the cardholder returns to your site: `status` is `open`, `complete` or `expired`, and `subscription` names the subscription of a complete session.',
  'checkoutSessions.expire':
    'The hosted page then tells the cardholder that the link has expired. Only an open session can be expired; for any other the response is `checkout_session_unexpected_state`.',
  'checkoutSessions.complete':
    'A test helper that submits a card without a browser, with the same effects and events as the hosted page. Give `card` or `test_card`. A decline returns 402 and leaves the session open, so that you can try another card.',
  'paymentSessions.create':
    'Send the `url` of the response to the cardholder. After the payment, the page redirects to `return_url`, where `{PAYMENT_SESSION_ID}` is replaced by the id. The card is not saved to the customer.',
  'paymentSessions.list': 'Filter by customer, status or creation time to find the session of a payment.',
  'paymentSessions.retrieve':
    'Use it after the cardholder returns to your site: `status` is `open`, `complete` or `expired`. Do not rely on the redirect alone, since anyone can open `return_url`.',
  'paymentSessions.expire':
    'The hosted page then tells the cardholder that the link has expired. Only an open session can be expired; for any other the response is `payment_session_unexpected_state`.',
  'paymentSessions.complete':
    'A test helper that submits a card without a browser, with the same effects and events as the hosted page. Give `card` or `test_card`. A decline returns 402 and leaves the session open, so that you can try another card.',
  'payments.list':
    'Each attempt to charge a card is one payment, failed attempts included. Filter by invoice or session to see every attempt to pay it.',
  'payments.retrieve':
    'A failed payment has `failure_code`, `decline_code` and an `outcome` that says whether another attempt makes sense. `amount_refunded` is the total of its refunds in minor units.',
  'paymentMethods.listOfCustomer':
    'Returns the cards that completed checkout sessions saved to the customer, without detached ones. Use their ids as `default_payment_method` or to pay an invoice.',
  'paymentMethods.retrieve':
    'Returns the brand, last four digits and expiry of the card. The full card number and the CVC are never stored. `customer` is null for a detached card.',
  'paymentMethods.detach':
    'Renewals no longer charge the card, and the customer and subscriptions that had it as default lose it. A detached card cannot be attached again; past payments still name it.',
  'subscriptions.list':
    'Returns subscriptions in every state, canceled ones included, unless you filter by `status`. `current_period_end` finds the renewals of a time span.',
  'subscriptions.retrieve':
    '`status` is `pending` before the start date, `active`, `past_due` or `unpaid` when a renewal failed, or `canceled`. `latest_invoice` names the newest invoice.',
  'subscriptions.update':
    'Changes only the parameters in the body; `null` unsets a field. `cancel_at_period_end` ends the subscription at the end of the current period, and `false` takes that back. A new card does not retry an open invoice: pay the invoice for that.',
  'subscriptions.delete':
    'Does the same as `POST /v1/subscriptions/{id}/cancel`. To keep the subscription until the end of the paid period, update `cancel_at_period_end` instead.',
  'subscriptions.cancel':
    'Takes effect at once and cannot be undone; nothing is refunded or prorated. To keep the subscription until the end of the paid period, update `cancel_at_period_end` instead.',
  'invoices.list':
    'Filter by customer, subscription, status, due date or creation time, such as `status=open` for everything that is owed.',
  'invoices.retrieve':
    'All amounts are in minor units of `currency`. `next_payment_attempt` is the Unix time of the next automatic charge, or null when none is planned.',
  'invoices.finalize':
    'Assigns the invoice number and sets `status` to `open`. Invoices of live subscriptions are finalized automatically; those of an unpaid subscription stay drafts until you finalize them.',
  'invoices.pay':
    'Charges the given card, else the default card of the subscription, else the one of the customer. A decline returns 402 and records a failed payment. With `paid_out_of_band: true` no card is charged. The schedule of automatic retries does not change.',
  'invoices.void':
    'Use it for an invoice that was made by mistake. It applies to draft, open and uncollectible invoices and is final. An authentication in progress for the invoice is canceled.',
  'invoices.markUncollectible':
    'Use it to write off a debt: automatic collection stops and `status` becomes `uncollectible`. The invoice can still be paid or voided later.',
  'refunds.create':
    'Without `amount`, refunds everything that is left of the payment. Several partial refunds are possible up to the amount of the payment. A refund does not cancel the subscription or reopen the invoice.',
  'refunds.list': 'Filter by `payment` to see all refunds of one payment.',
  'refunds.retrieve':
    '`status` is `pending` while the card network processes the refund, then `succeeded` or `failed`; `failure_reason` explains a failure.',
  'testClocks.create':
    'Create customers with the `test_clock` of the response, or give a `customer` that has no sessions and subscriptions yet. Their time stands still until you advance the clock, so that you can test months of renewals in seconds.',
  'testClocks.list': 'Returns the test clocks that are not deleted, with their current time.',
  'testClocks.retrieve':
    '`frozen_time` is the current time of the clock in Unix seconds. `status` is `ready`, `advancing` or `internal_failure`.',
  'testClocks.delete':
    'Deletes the customers on the clock and cancels their subscriptions. Events and payments of the clock stay readable, but nothing on it can be changed any more.',
  'testClocks.advance':
    'Give `frozen_time` or `by`. Every job that is due, such as a renewal, a payment retry or an expiry, runs at its scheduled time before the response. One long advance and several short ones give the same result. Other requests that change objects on the clock return 409 until it is ready.',
  'testClocks.fail':
    'Sets `status` to `internal_failure`, so that you can test how your code handles a broken clock. A broken clock cannot be advanced or repaired, only deleted.',
  'events.list':
    'An event records one change of one object. Filter by type, object, test clock or `sequence`, an integer that grows with each event.',
  'events.retrieve':
    '`data.object` is the object after the change, and `data.previous_attributes` has the earlier values of the changed fields. `pending_webhooks` counts the endpoints that have not confirmed the event yet.',
  'events.resend':
    'Creates a delivery to the given endpoint, or to every enabled endpoint that subscribes to the event, and returns the new deliveries. The `webhook-id` is the same as before, so that your handler can detect the duplicate.',
  'webhookEndpoints.create':
    'Each matching event is sent as a signed POST to `url`. Store `secret`, which you need to verify the signatures and which no other response has. `enabled_events` takes types, prefixes such as `invoice.*` or `*`.',
  'webhookEndpoints.list':
    'Returns the endpoints without their secrets. Filter by `status` to find disabled ones.',
  'webhookEndpoints.retrieve':
    '`status` is `disabled` after a request to disable it, a 410 response or too many failures in a row; `disabled_reason` says which.',
  'webhookEndpoints.update':
    'Changes only the parameters in the body. Set `status` to `disabled` to pause an endpoint and to `enabled` to resume it. Deliveries that a disabled endpoint misses are listed as `skipped` and can be sent with `recover`.',
  'webhookEndpoints.delete':
    'Pending deliveries to the endpoint are canceled. The delivery attempts that were made stay readable.',
  'webhookEndpoints.rollSecret':
    'Store the new `secret`, which only this response has. For `grace_seconds` (default: one day), deliveries carry signatures of both secrets, so that you can change the secret of your handler without an interruption.',
  'webhookEndpoints.recover':
    'Use it after an outage of your handler: it sends the events between `since` and `until` that were never delivered successfully. When `has_more` is true, call it again for the rest.',
  'webhookDeliveries.list':
    'Filter by event, endpoint or status, such as `status=failed`, to see what your handler responded.',
  'webhookDeliveries.retrieve':
    'Shows the request headers without secrets, the response of your handler up to 16 KiB, the duration in milliseconds and the time of the next attempt.',
  'requestLogs.list':
    'Filter by method, path, status or time, such as `status[gte]=400` for all errors. Bodies are not logged.',
  'requestLogs.retrieve':
    'Every response has the id in its `Request-Id` header, and every error in `request_id`. The log has the time, the status and the error, but no bodies.',
  'apiKeys.create':
    'Store `secret`, which no other response has. With `scopes` the key is restricted to them, such as `customers:read`; without, it can do everything.',
  'apiKeys.list':
    'Returns active, expired and revoked keys by their last four characters, never the secrets.',
  'apiKeys.retrieve': 'Shows the name, the scopes, the last four characters and when the key was last used.',
  'apiKeys.revoke':
    'Takes effect at once: requests with the key return 401. Revoke a key that was leaked; to replace it without an interruption, roll it instead.',
  'apiKeys.roll':
    'Store the `secret` of the new key. With `grace_seconds` the old key keeps working for that time, so that you can change it in your programs without an interruption.',
  'streams.events':
    'Keeps the connection open and sends each new event. To resume after a disconnection without a gap, send the last `id` as `Last-Event-ID`. `types[]` limits the types. `paycli listen` uses the `forward[]` parameter to receive webhook deliveries.',
  'streams.requestLogs':
    'Keeps the connection open and sends an entry for each answered request. To resume after a disconnection, send the last `id` as `Last-Event-ID`. `paycli logs tail` uses it.',
  'streams.report':
    'For programs that forward deliveries, such as `paycli listen`: post the response of the handler, or why there is none. The result counts as an ordinary delivery attempt.',
  'streams.leave':
    'For programs that forward deliveries, such as `paycli listen`: call it before the connection closes, so that deliveries on offer do not wait until their lease expires.',
}
