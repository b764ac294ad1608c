import { attemptLine } from '../../src/daemon/attempt-line.ts'
import type { WebhookDelivery } from '../../src/domain/webhook-deliveries.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('daemon/attempt-line')

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
  duration_ms: 7,
  request_headers: {},
  response_body: 'secret',
  response_body_truncated: false,
  next_attempt_at: null,
  trigger: 'automatic',
}
const failed = { ...delivered, status: 'failed', error: 'http_status', http_status: 500 } as const
const again = { next_attempt_at: Date.UTC(2026, 2, 3, 10, 20, 35) / 1000 }

const LINES: readonly (readonly [delivery: WebhookDelivery, line: string])[] = [
  [delivered, '200  7 ms  attempt 1'],
  [{ ...failed, ...again }, '500  7 ms  attempt 1, again at 10:20:35'],
  [
    { ...failed, attempt: 8 },
    '500  7 ms  attempt 8, given up; see paycli webhooks deliveries retrieve whd_1',
  ],
  [
    { ...failed, ...again, error: 'connection', http_status: null },
    'cannot connect  7 ms  attempt 1, again at 10:20:35',
  ],
  [
    { ...failed, ...again, error: 'timeout', http_status: null },
    'no answer in time  7 ms  attempt 1, again at 10:20:35',
  ],
  [
    { ...failed, ...again, error: 'tls', http_status: null },
    'TLS failed  7 ms  attempt 1, again at 10:20:35',
  ],
  [
    { ...failed, ...again, error: 'redirect', http_status: 302 },
    '302 redirect not followed  7 ms  attempt 1, again at 10:20:35',
  ],
]

for (const [delivery, line] of LINES) {
  test(line, () => {
    assert.is(attemptLine(delivery), `webhook evt_1 → http://127.0.0.1:3000/hook  ${line}`)
  })
}

test.run()
