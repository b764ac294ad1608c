import { operations } from '../../../src/api/api.ts'
import { findReplacementHint } from '../../../src/api/resources/stripe-resources.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/stripe-resources')

const REPLACED_REQUESTS: readonly (readonly [method: string, path: string, advice: string])[] = [
  [
    'POST',
    '/v1/subscriptions',
    'use POST /v1/checkout_sessions with subscription_data[items], which is paycli checkout create.',
  ],
  ['POST', '/v1/invoices', 'use POST /v1/invoice_items, which is paycli invoice-items create.'],
  ['POST', '/v1/invoices/in_1', 'use POST /v1/invoices/:id/pay, /finalize, /void or /mark_uncollectible.'],
  ['POST', '/v1/invoices/create_preview', 'Use POST /v1/subscriptions/:id/preview.'],
  ['DELETE', '/v1/invoices/in_1', 'Use POST /v1/invoices/:id/void.'],
  ['POST', '/v1/invoices/in_1/send', 'the hosted_invoice_url of GET /v1/invoices/:id.'],
  ['POST', '/v1/invoice_items/ii_1', 'Create another item with POST /v1/invoice_items, and delete'],
  ['POST', '/v1/payments/py_1/confirm', 'use POST /v1/test_helpers/payments/:id/authenticate.'],
  ['POST', '/v1/payments/py_1', 'use POST /v1/payments/:id/capture or /cancel, or POST /v1/refunds.'],
  ['POST', '/v1/refunds/re_1/cancel', 'use POST /v1/refunds.'],
  ['POST', '/v1/disputes', 'use POST /v1/test_helpers/payments/:id/dispute.'],
  [
    'POST',
    '/v1/events',
    'use paycli trigger <event>; to send an event again, use POST /v1/events/:id/resend.',
  ],
  ['POST', '/v1/webhook_deliveries', 'POST /v1/webhook_deliveries/:id/send.'],
  ['GET', '/v1/payment_methods', 'Use GET /v1/customers/:id/payment_methods.'],
  ['POST', '/v1/payment_methods', 'use POST /v1/card_sessions, which is paycli card-sessions create.'],
  ['POST', '/v1/payment_methods/pm_1/attach', 'use POST /v1/card_sessions'],
  ['POST', '/v1/customers/cus_1/sources', 'use POST /v1/card_sessions'],
  ['PATCH', '/v1/checkout_sessions/cks_1', 'Use POST on its path with /expire'],
  ['DELETE', '/v1/promotion_codes/promo_1', 'Use POST /v1/promotion_codes/:id with active false.'],
  ['POST', '/v1/api_keys/key_1', 'Use POST /v1/api_keys/:id/roll, or DELETE /v1/api_keys/:id.'],
  ['GET', '/v1/balance', 'Use GET /v1/statistics.'],
]

const paths = new Set(operations.map(({ operation: { method, path } }) => `${method} ${path}`))

for (const [method, path, advice] of REPLACED_REQUESTS) {
  test(`names the request to use instead of ${method} ${path}`, () => {
    const found = findReplacementHint(method, path) ?? ''
    assert.match(found, advice)
    for (const [request] of found.matchAll(/(?:GET|POST|DELETE) \/v1\/[\w/:]+/g))
      assert.ok(paths.has(request), request)
  })
}

test('names no other request for an operation of the API', () => {
  for (const { operation } of operations)
    assert.is(findReplacementHint(operation.method, operation.path.replace(':id', 'x_1')), null)
})

test.run()
