import type { CollectionRecordTypes } from '../../src/store/port/collections.ts'

const webhookEndpoint = {
  id: 'we_sample',
  object: 'webhook_endpoint',
  created: 1_700_000_000,
  livemode: false,
  url: 'http://127.0.0.1:9000/hook',
  enabled_events: ['*'],
  status: 'enabled',
  disabled_reason: null,
  description: null,
  metadata: {},
  api_version: '1',
} as const

const webhookDelivery = {
  id: 'whd_sample',
  object: 'webhook_delivery',
  created: 1_700_000_000,
  livemode: false,
  event: 'evt_sample',
  webhook_endpoint: webhookEndpoint.id,
  url: webhookEndpoint.url,
  attempt: 1,
  status: 'pending',
  http_status: null,
  error: null,
  error_message: null,
  duration_ms: null,
  request_headers: {},
  response_body: null,
  response_body_truncated: false,
  next_attempt_at: 1_700_000_000,
  trigger: 'automatic',
  fault: null,
} as const

/** A sample record of each collection of webhooks. */
export const WEBHOOK_SAMPLES = {
  webhook_endpoints: webhookEndpoint,
  webhook_deliveries: webhookDelivery,
  webhook_health: { id: webhookEndpoint.id, object: 'webhook_health', failures: 3, failing_since: 1 },
  webhook_secrets: { id: webhookEndpoint.id, object: 'webhook_secret', secret: 'whsec_sample' },
} as const satisfies { readonly [C in keyof CollectionRecordTypes]?: CollectionRecordTypes[C] }
