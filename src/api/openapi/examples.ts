import { createApiKey } from '../../domain/api-keys.ts'
import type { Change, Stored } from '../../domain/changes.ts'
import { type Customer, createCustomer } from '../../domain/customers.ts'
import { DomainError } from '../../domain/domain-error.ts'
import { createPaymentSession } from '../../domain/payment-sessions.ts'
import type { Payment } from '../../domain/payments.ts'
import { createRefund } from '../../domain/refunds.ts'
import { createRequestLog } from '../../domain/request-logs.ts'
import { createTestClock } from '../../domain/test-clocks.ts'
import { pendingDelivery, settleDelivery } from '../../domain/webhook-deliveries.ts'
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
import { errorFrom, exampleErrors } from './error-examples.ts'
import { EXAMPLE_WORLD, exampleEvent, sellSubscription, tryToPay } from './example-world.ts'

const SECRET = 'whsec_YW4gZXhhbXBsZSwgbm90IGEga2V5'
const KEY_SECRET = 'payrk_test_only4nExampleN0Key0pensW1thIt'
/** What an answer might say, by the name of its schema; made by the rules themselves, so none can be out of date. */
export function exampleAnswers(apiUrl: string): Readonly<Record<string, object>> {
  const customer = createCustomer(EXAMPLE_CUSTOMER, EXAMPLE_WORLD).after
  const { session, changes } = sellSubscription(customer)
  const last = new Map(changes.map((change) => [change.after?.object, change]))
  const payment = last.get('payment')?.after as Payment
  const { endpoint } = createWebhookEndpoint(EXAMPLE_ENDPOINT, { secret: SECRET, existing: 0 }, EXAMPLE_WORLD)
  const key = createApiKey(EXAMPLE_KEY, { secret: KEY_SECRET, digest: '' }, EXAMPLE_WORLD).key.after
  const stub = (object: string, id: string) => ({ id, object, deleted: true })
  const objects = {
    customer,
    checkout_session: session,
    payment_session: createPaymentSession(EXAMPLE_PAYMENT, customer, EXAMPLE_WORLD).after,
    payment,
    payment_method: stateOf(last, 'payment_method'),
    subscription: stateOf(last, 'subscription'),
    invoice: stateOf(last, 'invoice'),
    refund: createRefund(payment, EXAMPLE_REFUND, EXAMPLE_WORLD).result,
    event: exampleEvent(changeOf(last, 'invoice')),
    webhook_endpoint: endpoint.after,
    webhook_delivery: delivered(endpoint.after),
    test_clock: createTestClock(EXAMPLE_CLOCK, EXAMPLE_WORLD).after,
    request_log: createRequestLog(refusedRequest()),
    api_key: key,
  }
  return {
    ...objects,
    ...listsOf(objects),
    new_api_key: { ...key, secret: KEY_SECRET },
    new_webhook_endpoint: { ...endpoint.after, secret: SECRET },
    deleted_customer: stub('customer', EXAMPLE_IDS.cus_),
    webhook_recovery: {
      object: 'webhook_recovery',
      webhook_endpoint: endpoint.after.id,
      resent: 2,
      has_more: false,
    },
    deleted_webhook_endpoint: stub('webhook_endpoint', EXAMPLE_IDS.we_),
    deleted_test_clock: stub('test_clock', EXAMPLE_IDS.clock_),
    error: errorFrom(missingEmail(), apiUrl),
    card_error: errorFrom(declinedCharge(customer), apiUrl),
    ...exampleErrors(session, apiUrl),
    webhook_result: { object: 'webhook_result', delivery: EXAMPLE_IDS.whd_, taken: true },
    webhook_leave: { object: 'webhook_leave', webhook_endpoints: [EXAMPLE_IDS.we_] },
  }
}

function changeOf(last: ReadonlyMap<string | undefined, Change>, object: string): Change {
  const change = last.get(object)
  if (change === undefined) throw new Error(`completing a session made no ${object}`)
  return change
}

function stateOf(last: ReadonlyMap<string | undefined, Change>, object: string): Stored {
  const { after } = changeOf(last, object)
  if (after === null) throw new Error(`the ${object} of the example is gone`)
  return after
}

function delivered(endpoint: WebhookEndpoint): Stored {
  const pending = pendingDelivery(
    { id: EXAMPLE_IDS.whd_, event: EXAMPLE_IDS.evt_, endpoint, attempt: 1, dueAt: EXAMPLE_NOW },
    EXAMPLE_NOW,
  )
  const outcome = {
    url: endpoint.url,
    request_headers: { 'content-type': 'application/json; charset=utf-8', 'webhook-id': EXAMPLE_IDS.evt_ },
    http_status: 200,
    error: null,
    error_message: null,
    duration_ms: 12,
    response_body: 'ok',
    response_body_truncated: false,
  }
  return settleDelivery(pending, outcome, null).after
}

const PATHS: Readonly<Record<string, string>> = {
  payment_method: `/v1/customers/${EXAMPLE_IDS.cus_}/payment_methods`,
  test_clock: '/v1/test_helpers/test_clocks',
  webhook_delivery: '/v1/webhook_deliveries',
}

function listsOf(objects: Readonly<Record<string, object>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(objects).map(([name, object]) => [
      `${name}_list`,
      { object: 'list', url: PATHS[name] ?? `/v1/${name}s`, data: [object], has_more: false },
    ]),
  )
}

function refusedRequest(): Parameters<typeof createRequestLog>[0] {
  const { code, message } = missingEmail()
  return {
    ...{ id: EXAMPLE_IDS.req_, created: EXAMPLE_NOW, method: 'POST', path: '/v1/customers' },
    ...{ status: 400, duration_ms: 2, error: { code, message, param: 'email' } },
    ...{ api_key: EXAMPLE_IDS.key_, replay_of: null },
  }
}

function missingEmail(): DomainError {
  return new DomainError('parameter_missing', 'Missing required parameter: email.', { param: 'email' })
}

function declinedCharge(customer: Customer): DomainError {
  const decision = tryToPay(customer, 'insufficient_funds')
  if ('result' in decision) throw new Error('the card of the example was not declined')
  return decision.refusal
}
