import { createApiKey } from '../../domain/api-keys.ts'
import type { Change, StoredObject } from '../../domain/changes.ts'
import { type Customer, createCustomer } from '../../domain/customers.ts'
import { DomainError } from '../../domain/domain-error.ts'
import { createPaymentSession } from '../../domain/payment-sessions.ts'
import type { Payment } from '../../domain/payments.ts'
import { createRefund } from '../../domain/refunds.ts'
import { createRequestLog } from '../../domain/request-logs.ts'
import { createTestClock } from '../../domain/test-clocks.ts'
import { createDelivery, settleDelivery } from '../../domain/webhook-deliveries.ts'
import { createWebhookEndpoint, type WebhookEndpoint } from '../../domain/webhook-endpoints.ts'
import {
  EXAMPLE_CLOCK,
  EXAMPLE_CUSTOMER,
  EXAMPLE_ENDPOINT,
  EXAMPLE_IDS,
  EXAMPLE_KEY,
  EXAMPLE_NOW,
  EXAMPLE_PAYMENT,
  EXAMPLE_REFUND,
} from '../operations/example-requests.ts'
import { resourceOfObject } from '../resources/catalog.ts'
import { exampleErrors, toErrorBody } from './error-examples.ts'
import {
  completeExampleCheckout,
  createExampleEvent,
  EXAMPLE_CONTEXT,
  payExampleSession,
} from './example-context.ts'

const SECRET = 'whsec_YW4gZXhhbXBsZSwgbm90IGEga2V5'
const KEY_SECRET = 'payrk_test_only4nExampleN0Key0pensW1thIt'

/** Returns response bodies by schema name; the domain rules create them, so that they are never out of date. */
export function exampleResponses(apiUrl: string): Readonly<Record<string, object>> {
  const customer = createCustomer(EXAMPLE_CUSTOMER, EXAMPLE_CONTEXT).after
  const { session, changes } = completeExampleCheckout(customer)
  const last = new Map(changes.map((change) => [change.after?.object, change]))
  const payment = last.get('payment')?.after as Payment
  const { endpoint } = createWebhookEndpoint(
    EXAMPLE_ENDPOINT,
    { secret: SECRET, existing: 0 },
    EXAMPLE_CONTEXT,
  )
  const key = createApiKey(EXAMPLE_KEY, { secret: KEY_SECRET, digest: '' }, EXAMPLE_CONTEXT).key.after
  const deleted = (object: string, id: string) => ({ id, object, deleted: true })
  const objects = {
    customer,
    checkout_session: session,
    payment_session: createPaymentSession(EXAMPLE_PAYMENT, customer, EXAMPLE_CONTEXT).after,
    payment,
    payment_method: objectOf(last, 'payment_method'),
    subscription: objectOf(last, 'subscription'),
    invoice: objectOf(last, 'invoice'),
    refund: createRefund(payment, EXAMPLE_REFUND, EXAMPLE_CONTEXT).result,
    event: createExampleEvent(changeOf(last, 'invoice')),
    webhook_endpoint: endpoint.after,
    webhook_delivery: createExampleDelivery(endpoint.after),
    test_clock: createTestClock(EXAMPLE_CLOCK, EXAMPLE_CONTEXT).after,
    request_log: createRequestLog(failedRequestLog()),
    api_key: key,
  }
  return {
    ...objects,
    ...createExampleLists(objects),
    new_api_key: { ...key, secret: KEY_SECRET },
    new_webhook_endpoint: { ...endpoint.after, secret: SECRET },
    deleted_customer: deleted('customer', EXAMPLE_IDS.customers),
    webhook_recovery: {
      object: 'webhook_recovery',
      webhook_endpoint: endpoint.after.id,
      resent: 2,
      has_more: false,
    },
    deleted_webhook_endpoint: deleted('webhook_endpoint', EXAMPLE_IDS.webhook_endpoints),
    deleted_test_clock: deleted('test_clock', EXAMPLE_IDS.test_clocks),
    error: toErrorBody(missingEmailError(), apiUrl),
    card_error: toErrorBody(declineError(customer), apiUrl),
    ...exampleErrors(session, apiUrl),
    webhook_result: { object: 'webhook_result', delivery: EXAMPLE_IDS.webhook_deliveries, taken: true },
    webhook_leave: { object: 'webhook_leave', webhook_endpoints: [EXAMPLE_IDS.webhook_endpoints] },
  }
}

function changeOf(last: ReadonlyMap<string | undefined, Change>, object: string): Change {
  const change = last.get(object)
  if (change === undefined) throw new Error(`the example creates no ${object}`)
  return change
}

function objectOf(last: ReadonlyMap<string | undefined, Change>, object: string): StoredObject {
  const { after } = changeOf(last, object)
  if (after === null) throw new Error(`the example deletes the ${object}`)
  return after
}

function createExampleDelivery(endpoint: WebhookEndpoint): StoredObject {
  const pending = createDelivery(
    {
      id: EXAMPLE_IDS.webhook_deliveries,
      event: EXAMPLE_IDS.events,
      endpoint,
      attempt: 1,
      dueAt: EXAMPLE_NOW,
    },
    EXAMPLE_NOW,
  )
  const outcome = {
    url: endpoint.url,
    request_headers: { 'content-type': 'application/json; charset=utf-8', 'webhook-id': EXAMPLE_IDS.events },
    http_status: 200,
    error: null,
    error_message: null,
    duration_ms: 12,
    response_body: 'ok',
    response_body_truncated: false,
  }
  return settleDelivery(pending, outcome, null).after
}

function createExampleLists(objects: Readonly<Record<string, object>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(objects).map(([name, object]) => {
      const path = resourceOfObject(name)?.listPath.replace(':id', EXAMPLE_IDS.customers)
      return [`${name}_list`, { object: 'list', url: `/v1/${path}`, data: [object], has_more: false }]
    }),
  )
}

function failedRequestLog(): Parameters<typeof createRequestLog>[0] {
  const { code, message } = missingEmailError()
  return {
    ...{ id: EXAMPLE_IDS.request_logs, created: EXAMPLE_NOW, method: 'POST', path: '/v1/customers' },
    ...{ status: 400, duration_ms: 2, error: { code, message, param: 'email' } },
    ...{ api_key: EXAMPLE_IDS.api_keys, replay_of: null },
  }
}

function missingEmailError(): DomainError {
  return new DomainError('parameter_missing', 'Missing required parameter: email.', { param: 'email' })
}

function declineError(customer: Customer): DomainError {
  const decision = payExampleSession(customer, 'insufficient_funds')
  if ('result' in decision) throw new Error('the example card was not declined')
  return decision.error
}
