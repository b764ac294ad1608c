import { describeEndpointHealth } from '../../../src/cli/views/endpoint-verdict.ts'
import type { WebhookEndpoint } from '../../../src/domain/events/webhook-endpoints.ts'
import { calculateEndpointHealth } from '../../../src/domain/reports/endpoint-health.ts'
import { WEBHOOK_SAMPLES } from '../../store/webhook-samples.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/endpoint-verdict')

type Status = 'succeeded' | 'failed' | 'pending'

const ENDPOINT: WebhookEndpoint = WEBHOOK_SAMPLES.webhook_endpoints

/** The newest attempt is the last one. */
const CASES: readonly (readonly [attempts: Status[], fields: Partial<WebhookEndpoint>, verdict: string])[] = [
  [['succeeded', 'succeeded'], {}, 'Healthy: all attempts of the last 24 hours succeeded (2).'],
  [
    ['failed', 'failed', 'succeeded'],
    {},
    '2 of 3 attempts of the last 24 hours failed. The newest failure, at 1970-01-01T00:00:02Z: No handler.',
  ],
  [['pending'], {}, 'Unknown: no attempt ended in the last 24 hours. Waiting attempts: 1.'],
  [['succeeded'], { status: 'not_listening' }, 'Receives no events: the endpoint is not listening.'],
  [
    [],
    { status: 'disabled', disabled_reason: 'gone' },
    'Receives no events: the endpoint is disabled (gone).',
  ],
]

for (const [statuses, fields, verdict] of CASES) {
  test(`returns "${verdict}"`, () => {
    const attempts = statuses.map((status, index) => ({
      ...{ status, created: index + 1, duration_ms: 5 },
      error_message: status === 'failed' ? 'No handler.' : null,
    }))
    const failure = attempts.findLast(({ status }) => status === 'failed')
    const health = calculateEndpointHealth('we_1', 0, attempts)
    assert.is(describeEndpointHealth(health, { ...ENDPOINT, ...fields }, failure), verdict)
  })
}

test.run()
