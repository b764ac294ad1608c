import type { Subscription } from '../../domain/billing/subscriptions.ts'
import type { StoredObject } from '../../domain/core/changes.ts'
import { catchDomainError, DomainError } from '../../domain/core/domain-error.ts'
import type { EventType } from '../../domain/core/event-types.ts'
import type { Event } from '../../domain/events/events.ts'
import { createDeliveryAttempt, recordDeliveryResult } from '../../domain/events/webhook-deliveries.ts'
import { createWebhookEndpoint, type WebhookEndpoint } from '../../domain/events/webhook-endpoints.ts'
import { createFault } from '../../domain/faults/faults.ts'
import { type Customer, createCustomer } from '../../domain/payments/customers.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import type { Refund } from '../../domain/payments/refunds.ts'
import { calculateEndpointHealth, HEALTH_WINDOW_SECONDS } from '../../domain/reports/endpoint-health.ts'
import { previewInvoice } from '../../domain/reports/invoice-preview.ts'
import { createProjection, getProjectionRange, type Projection } from '../../domain/reports/projections.ts'
import { type Statistics, StatisticsCollector } from '../../domain/reports/statistics.ts'
import { listBuckets } from '../../domain/reports/statistics-range.ts'
import { SubscriptionHistoryCollector } from '../../domain/reports/subscription-history.ts'
import { createIdempotencyKey, findReplayResponse } from '../../domain/requests/idempotency.ts'
import { createRequestLog } from '../../domain/requests/request-logs.ts'
import {
  type ApiKey,
  addSandboxIdToKey,
  createApiKey,
  requireScope,
} from '../../domain/sandboxes/api-keys.ts'
import { createServerFullError } from '../../domain/sandboxes/sandbox-quotas.ts'
import { createSandboxRecord, presentSandbox } from '../../domain/sandboxes/sandboxes.ts'
import { listCheckoutSessionErrors } from '../../domain/sessions/checkout-sessions.ts'
import { requireOpenSession } from '../../domain/sessions/sessions.ts'
import { createTestClock, getReadyClockTime } from '../../domain/time/test-clocks.ts'
import { createMissingApiKeyError } from '../core/auth.ts'
import { createMissingObjectError } from '../core/retrieve.ts'
import { apiKeys } from '../operations/api-keys.ts'
import { checkoutSessions } from '../operations/checkout-sessions.ts'
import { customers } from '../operations/customers.ts'
import { EXAMPLE_IDS, EXAMPLE_NOW } from '../operations/example-requests.ts'
import { faults } from '../operations/faults.ts'
import { sandboxes } from '../operations/sandboxes.ts'
import { testClocks } from '../operations/test-clocks.ts'
import { webhookEndpoints } from '../operations/webhook-endpoints.ts'
import { findResourceByObjectName, RESOURCES } from '../resources/catalog.ts'
import { createInternalError, toApiErrorResponse } from '../schema/errors.ts'
import {
  createBodyTooLargeError,
  createDatabaseUnavailableError,
  createRateLimitError,
  createSimulatedError,
  createUnsupportedMediaTypeError,
  createUrlTooLongError,
} from '../schema/http-errors.ts'
import { checkAgainstSchema, combineErrors } from '../schema/validate.ts'
import { getEventExample } from './event-examples.ts'
import {
  createExampleCheckoutSession,
  EXAMPLE_CONTEXT,
  getExampleParams,
  payExampleSession,
} from './example-context.ts'

const SECRET = 'whsec_YW4gZXhhbXBsZSwgbm90IGEga2V5'
const KEY_SECRET = 'payrk_test_only4nExampleN0Key0pensW1thIt'
const SANDBOX_KEY = addSandboxIdToKey('paysk_test_only4nExampleN0Key0pensW1thIt', EXAMPLE_IDS.sandboxes)

/** Event verbs in order of preference: the first verb with an event selects the example of a resource. */
const EXAMPLE_VERBS = ['succeeded', 'paid', 'created', 'attached']

/** Returns response bodies by schema name; the domain rules create the bodies, so no example is out of date. */
export function createResponseExamples(
  apiUrl: string,
  events: ReadonlyMap<EventType, Event>,
): Readonly<Record<string, object>> {
  const customer = createCustomer(getExampleParams(customers.create), EXAMPLE_CONTEXT).after
  const { endpoint } = createWebhookEndpoint(
    getExampleParams(webhookEndpoints.create),
    { secret: SECRET, existing: 0 },
    EXAMPLE_CONTEXT,
  )
  const key = createApiKey(
    getExampleParams(apiKeys.create),
    { secret: KEY_SECRET, digest: '' },
    EXAMPLE_CONTEXT,
  ).key.after
  const deleted = (object: string, id: string) => ({ id, object, deleted: true })
  const objects = {
    ...statesIn(events),
    event: getEventExample('invoice.paid', events),
    webhook_endpoint: endpoint.after,
    webhook_delivery: createExampleDelivery(endpoint.after),
    request_log: createRequestLog(failedRequestLog()),
    fault: createFault(getExampleParams(faults.create), EXAMPLE_CONTEXT).after,
    api_key: key,
    sandbox: createExampleSandbox(),
  }
  return {
    ...objects,
    ...createExampleLists(objects),
    invoice_preview: previewExampleInvoice(customer, events),
    projection: createExampleProjection(events),
    statistics: createExampleStatistics(events),
    new_api_key: { ...key, secret: KEY_SECRET },
    new_sandbox: { ...createExampleSandbox(), api_key: SANDBOX_KEY, webhook_secret: SECRET },
    new_webhook_endpoint: { ...endpoint.after, secret: SECRET },
    deleted_customer: deleted('customer', EXAMPLE_IDS.customers),
    deleted_coupon: deleted('coupon', EXAMPLE_IDS.coupons),
    deleted_invoice_item: deleted('invoice_item', EXAMPLE_IDS.invoice_items),
    webhook_recovery: {
      object: 'webhook_recovery',
      webhook_endpoint: endpoint.after.id,
      resent: 2,
      has_more: false,
    },
    webhook_endpoint_health: calculateEndpointHealth(endpoint.after.id, EXAMPLE_NOW - HEALTH_WINDOW_SECONDS, [
      { created: EXAMPLE_NOW, status: 'succeeded', duration_ms: 12 },
    ]),
    deleted_webhook_endpoint: deleted('webhook_endpoint', EXAMPLE_IDS.webhook_endpoints),
    deleted_fault: deleted('fault', EXAMPLE_IDS.faults),
    fault_deletion: { object: 'fault_deletion', deleted: 2, released: 1 },
    deleted_sandbox: deleted('sandbox', EXAMPLE_IDS.sandboxes),
    deleted_test_clock: deleted('test_clock', EXAMPLE_IDS.test_clocks),
    error: toErrorBody(missingEmailError(), apiUrl),
    card_error: toErrorBody(createDeclineError(customer), apiUrl),
    ...exampleErrors(customer, key, apiUrl),
    webhook_result: { object: 'webhook_result', delivery: EXAMPLE_IDS.webhook_deliveries, taken: true },
    webhook_leave: { object: 'webhook_leave', webhook_endpoints: [EXAMPLE_IDS.webhook_endpoints] },
  }
}

function statesIn(events: ReadonlyMap<string, Event>): Record<string, object> {
  return Object.fromEntries(
    RESOURCES.flatMap(({ object }) => {
      const verb = EXAMPLE_VERBS.find((one) => events.has(`${object}.${one}`))
      const event = events.get(`${object}.${verb}`)
      return event === undefined ? [] : [[object, event.data.object]]
    }),
  )
}

function previewExampleInvoice(customer: Customer, events: ReadonlyMap<EventType, Event>): object {
  const subscription = getEventExample('subscription.created', events).data.object as Subscription
  const none = { invoices: [], card: null, invoiceCounter: null, pendingItems: [], alternatingCharges: null }
  const account = { subscription, customer, ...none }
  return previewInvoice({ account, billed: [], customerItems: [], trialTimer: null }, {}, EXAMPLE_CONTEXT)
}

function createExampleProjection(events: ReadonlyMap<EventType, Event>): Projection {
  const range = getProjectionRange({}, EXAMPLE_NOW)
  const next = [getEventExample('subscription.renewed', events), getEventExample('invoice.paid', events)]
  return createProjection(
    { subscription: EXAMPLE_IDS.subscriptions, test_clock: null, range },
    { events: next, hasMore: true },
  )
}

function createExampleStatistics(events: ReadonlyMap<EventType, Event>): Statistics {
  const buckets = listBuckets({ interval: 'day', start: EXAMPLE_NOW }, EXAMPLE_NOW)
  const collector = new StatisticsCollector(buckets, new SubscriptionHistoryCollector(buckets, EXAMPLE_NOW))
  collector.addPayment(getEventExample('payment.succeeded', events).data.object as Payment)
  collector.addRefund(getEventExample('refund.created', events).data.object as Refund)
  collector.addSubscription(getEventExample('subscription.created', events).data.object as Subscription)
  return { object: 'statistics', interval: 'day', test_clock: null, ...collector.results() }
}

function createExampleDelivery(endpoint: WebhookEndpoint): StoredObject {
  const pending = createDeliveryAttempt(
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
  return recordDeliveryResult(pending, outcome, null).after
}

function createExampleSandbox(): StoredObject {
  const sandbox = createSandboxRecord(getExampleParams(sandboxes.create), 'durable', EXAMPLE_CONTEXT)
  const checkoutUrlOf = (id: string) => `${EXAMPLE_CONTEXT.checkoutUrl}/${id}`
  return presentSandbox(sandbox, { objects: 12, events: 30 }, { checkoutUrlOf })
}

function createExampleLists(objects: Readonly<Record<string, object>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(objects).map(([name, object]) => {
      const path = findResourceByObjectName(name)?.listPath.replace(':id', EXAMPLE_IDS.customers)
      return [`${name}_list`, { object: 'list', url: `/v1/${path}`, data: [object], has_more: false }]
    }),
  )
}

function failedRequestLog(): Parameters<typeof createRequestLog>[0] {
  const { code, message } = missingEmailError()
  return {
    ...{ id: EXAMPLE_IDS.request_logs, created: EXAMPLE_NOW, method: 'POST', path: '/v1/customers' },
    ...{ status: 400, duration_ms: 2, error: { code, message, param: 'email' } },
    ...{ api_key: EXAMPLE_IDS.api_keys, replay_of: null, fault: null },
  }
}

function missingEmailError(): DomainError {
  return new DomainError('parameter_missing', 'Missing required parameter: email.', { param: 'email' })
}

function createDeclineError(customer: Customer): DomainError {
  const decision = payExampleSession(customer, 'insufficient_funds')
  if ('result' in decision) throw new Error('the example card was not declined')
  return decision.error
}

function toErrorBody(error: DomainError, apiUrl: string): object {
  return toApiErrorResponse(error, { requestId: EXAMPLE_IDS.request_logs, apiUrl }).body
}

/** Returns error bodies by example name. The domain rules create the errors, so the examples are never out of date. */
function exampleErrors(customer: Customer, key: ApiKey, apiUrl: string): Readonly<Record<string, object>> {
  const session = createExampleCheckoutSession(customer).after
  const errors: Readonly<Record<string, DomainError>> = {
    several_errors: severalValidationErrors(),
    wrong_state: errorThrownBy(() =>
      requireOpenSession({ ...session, status: 'complete' }, 'expire', EXAMPLE_NOW),
    ),
    error_401: createMissingApiKeyError(),
    error_403: errorThrownBy(() => requireScope(key, 'customers:write')),
    error_404: createMissingObjectError('customers', EXAMPLE_IDS.customers),
    error_409: advancingClockError(),
    error_413: createBodyTooLargeError(),
    error_414: createUrlTooLongError(9000, 8192),
    error_415: createUnsupportedMediaTypeError(''),
    error_422: reusedKeyError(),
    error_429: createRateLimitError(1),
    error_500: createInternalError(),
    error_502: createSimulatedError({ http_status: 502, retry_after: null }, EXAMPLE_IDS.faults),
    error_503: createDatabaseUnavailableError(),
    error_507: createServerFullError('it uses 435 of 512 MB of heap'),
  }
  return Object.fromEntries(Object.entries(errors).map(([name, error]) => [name, toErrorBody(error, apiUrl)]))
}

/** Returns the names of the error examples of a status. */
export function listErrorExampleNames(status: number): readonly string[] {
  if (status === 400) return ['error', 'several_errors', 'wrong_state']
  return [status === 402 ? 'card_error' : `error_${status}`]
}

function errorThrownBy(rule: () => unknown): DomainError {
  const error = catchDomainError(rule)
  if (error === null) throw new Error('the rule of the example throws no error')
  return error
}

function severalValidationErrors(): DomainError {
  const { params } = checkoutSessions.create
  const price_data = { amount: -1, currency: 'usd' }
  const subscription_data = { interval: 'monthly', items: [{ description: 'Monthly rent', price_data }] }
  const { errors, known } = checkAgainstSchema(
    { ...getExampleParams(checkoutSessions.create), subscription_data },
    params,
  )
  return combineErrors([...errors, ...listCheckoutSessionErrors(known, EXAMPLE_NOW)], params)
}

function advancingClockError(): DomainError {
  const { after: clock } = createTestClock(getExampleParams(testClocks.create), EXAMPLE_CONTEXT)
  return errorThrownBy(() => getReadyClockTime({ ...clock, status: 'advancing' }, clock.id))
}

function reusedKeyError(): DomainError {
  const first = { id: 'idem_', fingerprint: 'first', used_at: EXAMPLE_NOW }
  return errorThrownBy(() =>
    findReplayResponse(createIdempotencyKey(first, null), { ...first, fingerprint: 'second' }),
  )
}
