import { formatAttempt, formatDisabledEndpoint } from '../../../src/daemon/jobs/delivery-log.ts'
import type { WebhookDelivery } from '../../../src/domain/events/webhook-deliveries.ts'
import { createWebhookEndpoint } from '../../../src/domain/events/webhook-endpoints.ts'
import { createRuleContext } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/delivery-log')

const delivered: WebhookDelivery = {
  id: 'whd_1',
  object: 'webhook_delivery',
  created: 1_790_000_000,
  livemode: false,
  event: 'evt_1',
  webhook_endpoint: 'we_1',
  url: 'http://127.0.0.1:3000/hook',
  attempt: 1,
  status: 'succeeded',
  http_status: 200,
  error: null,
  error_message: null,
  duration_ms: 7,
  request_headers: {},
  response_body: 'secret',
  response_body_truncated: false,
  next_attempt_at: null,
  trigger: 'automatic',
  fault: null,
}
const failed = { ...delivered, status: 'failed', error: 'http_status', http_status: 500 } as const
const again = { next_attempt_at: Date.UTC(2026, 2, 3, 10, 20, 35) / 1000 }

const LINES: readonly (readonly [delivery: WebhookDelivery, line: string])[] = [
  [delivered, '200  7 ms  attempt 1'],
  [{ ...failed, ...again }, '500  7 ms  attempt 1, next at 10:20:35'],
  [
    { ...failed, attempt: 8 },
    '500  7 ms  attempt 8, no retry; see paycli webhooks deliveries retrieve whd_1',
  ],
  [{ ...delivered, trigger: 'manual', attempt: 2 }, '200  7 ms  resend 2'],
  [{ ...delivered, fault: 'flt_1' }, '200  7 ms  attempt 1, fault flt_1'],
  [
    { ...failed, ...again, error: 'connection', http_status: null, duration_ms: null, fault: 'flt_1' },
    'cannot connect  not sent  attempt 1, fault flt_1, next at 10:20:35',
  ],
  ...(
    [
      ['refused', 'connection refused'],
      ['dns', 'no such host'],
      ['reset', 'connection closed'],
      ['blocked', 'address not allowed'],
    ] as const
  ).map(
    ([error, words]) =>
      [
        { ...failed, ...again, error, http_status: null },
        `${words}  7 ms  attempt 1, next at 10:20:35`,
      ] as const,
  ),
  [
    { ...failed, ...again, error: 'connection', http_status: null },
    'cannot connect  7 ms  attempt 1, next at 10:20:35',
  ],
  [
    { ...failed, ...again, error: 'timeout', http_status: null },
    'timeout  7 ms  attempt 1, next at 10:20:35',
  ],
  [{ ...failed, ...again, error: 'tls', http_status: null }, 'TLS failed  7 ms  attempt 1, next at 10:20:35'],
  [
    { ...failed, ...again, error: 'redirect', http_status: 302 },
    '302 redirect not followed  7 ms  attempt 1, next at 10:20:35',
  ],
]

for (const [delivery, line] of LINES) {
  test(`formats a delivery attempt as '${line}'`, () => {
    assert.is(formatAttempt(delivery), `webhook evt_1 → http://127.0.0.1:3000/hook  ${line}`)
  })
}

const ENDPOINT = createWebhookEndpoint(
  { url: 'http://127.0.0.1:3000/hook' },
  { secret: 'whsec_1', existing: 0 },
  createRuleContext(),
).endpoint.after

for (const [reason, why] of [
  ['gone', 'it returned 410'],
  ['failing', 'too many deliveries failed'],
] as const) {
  test(`explains how to enable an endpoint that is disabled with the reason '${reason}'`, () => {
    const line = formatDisabledEndpoint({ ...ENDPOINT, status: 'disabled', disabled_reason: reason })
    assert.ok(line.startsWith(`webhook endpoint ${ENDPOINT.id} → ${ENDPOINT.url} is disabled: ${why}.`), line)
    assert.match(line, `paycli webhooks endpoints update ${ENDPOINT.id} --status enabled`)
    assert.match(line, 'paycli events resend --failed')
  })
}

test.run()
