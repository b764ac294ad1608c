import { formatAttempt, formatDisabledEndpoint } from '../../../src/daemon/jobs/delivery-log.ts'
import type { WebhookDelivery } from '../../../src/domain/events/webhook-deliveries.ts'
import { createWebhookEndpoint } from '../../../src/domain/events/webhook-endpoints.ts'
import { SAMPLES } from '../../store/samples.ts'
import { createRuleContext } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/delivery-log')

const delivered: WebhookDelivery = {
  ...SAMPLES.webhook_deliveries,
  ...{
    status: 'succeeded',
    http_status: 200,
    duration_ms: 7,
    next_attempt_at: null,
    response_body: 'secret',
  },
}
const failed = { ...delivered, status: 'failed', error: 'http_status', http_status: 500 } as const
const again = { next_attempt_at: Date.UTC(2026, 2, 3, 10, 20, 35) / 1000 }

const LINES: readonly (readonly [delivery: WebhookDelivery, line: string])[] = [
  [delivered, '200  7 ms  attempt 1'],
  [{ ...failed, ...again }, '500  7 ms  attempt 1, next at 10:20:35'],
  [
    { ...failed, attempt: 8 },
    '500  7 ms  attempt 8, no retry; see paycli webhooks deliveries retrieve whd_sample',
  ],
  [{ ...delivered, trigger: 'manual', attempt: 2 }, '200  7 ms  resend 2'],
  [{ ...delivered, fault: 'flt_1' }, '200  7 ms  attempt 1, fault flt_1'],
  [
    { ...failed, ...again, error: 'connection', http_status: null, duration_ms: null, fault: 'flt_1' },
    'cannot connect  not sent  attempt 1, fault flt_1, next at 10:20:35',
  ],
  [
    { ...failed, ...again, error: 'redirect', http_status: 302 },
    '302 redirect not followed  7 ms  attempt 1, next at 10:20:35',
  ],
]

/** Errors of attempts without a response. */
const FAILURES = {
  refused: 'connection refused',
  dns: 'no such host',
  reset: 'connection closed',
  blocked: 'address not allowed',
  connection: 'cannot connect',
  timeout: 'timeout',
  tls: 'TLS failed',
} as const

const FAILED = Object.entries(FAILURES).map(([error, words]) => {
  const delivery = { ...failed, ...again, error: error as keyof typeof FAILURES, http_status: null }
  return [delivery, `${words}  7 ms  attempt 1, next at 10:20:35`] as const
})

for (const [delivery, line] of [...LINES, ...FAILED]) {
  test(`formats a delivery attempt as '${line}'`, () => {
    assert.is(formatAttempt(delivery), `webhook evt_sample → http://127.0.0.1:9000/hook  ${line}`)
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
