import { createApiKey } from '../../domain/api-keys.ts'
import type { StoredObject } from '../../domain/changes.ts'
import { type Customer, createCustomer } from '../../domain/customers.ts'
import { DomainError } from '../../domain/domain-error.ts'
import type { EventType } from '../../domain/event-types.ts'
import type { Event } from '../../domain/events.ts'
import { createRequestLog } from '../../domain/request-logs.ts'
import { createDelivery, settleDelivery } from '../../domain/webhook-deliveries.ts'
import { createWebhookEndpoint, type WebhookEndpoint } from '../../domain/webhook-endpoints.ts'
import {
  EXAMPLE_CUSTOMER,
  EXAMPLE_ENDPOINT,
  EXAMPLE_IDS,
  EXAMPLE_KEY,
  EXAMPLE_NOW,
} from '../operations/example-requests.ts'
import { RESOURCES, resourceOfObject } from '../resources/catalog.ts'
import { exampleErrors, toErrorBody } from './error-examples.ts'
import { exampleEvent } from './event-examples.ts'
import { EXAMPLE_CONTEXT, payExampleSession } from './example-context.ts'

const SECRET = 'whsec_YW4gZXhhbXBsZSwgbm90IGEga2V5'
const KEY_SECRET = 'payrk_test_only4nExampleN0Key0pensW1thIt'

/** Verbs of events whose object is the example of its resource; the first one that has an event is used. */
const EXAMPLE_VERBS = ['succeeded', 'paid', 'created', 'attached']

/** Returns response bodies by schema name; the domain rules create them, so that they are never out of date. */
export function exampleResponses(
  apiUrl: string,
  events: ReadonlyMap<EventType, Event>,
): Readonly<Record<string, object>> {
  const customer = createCustomer(EXAMPLE_CUSTOMER, EXAMPLE_CONTEXT).after
  const { endpoint } = createWebhookEndpoint(
    EXAMPLE_ENDPOINT,
    { secret: SECRET, existing: 0 },
    EXAMPLE_CONTEXT,
  )
  const key = createApiKey(EXAMPLE_KEY, { secret: KEY_SECRET, digest: '' }, EXAMPLE_CONTEXT).key.after
  const deleted = (object: string, id: string) => ({ id, object, deleted: true })
  const objects = {
    ...statesIn(events),
    event: exampleEvent('invoice.paid', events),
    webhook_endpoint: endpoint.after,
    webhook_delivery: createExampleDelivery(endpoint.after),
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
    card_error: toErrorBody(createDeclineError(customer), apiUrl),
    ...exampleErrors(customer, apiUrl),
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

function createDeclineError(customer: Customer): DomainError {
  const decision = payExampleSession(customer, 'insufficient_funds')
  if ('result' in decision) throw new Error('the example card was not declined')
  return decision.error
}
