import { calculateEndpointHealth } from '../../../src/domain/reports/endpoint-health.ts'
import { START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/reports/endpoint-health')

const sent = (duration_ms: number | null) => ({ created: START, status: 'succeeded', duration_ms }) as const

test('returns null durations and no pending attempt without attempts', () => {
  assert.equal(calculateEndpointHealth('we_1', START, []), {
    object: 'webhook_endpoint_health',
    webhook_endpoint: 'we_1',
    since: START,
    succeeded: 0,
    failed: 0,
    pending: 0,
    oldest_pending_at: null,
    duration_ms_p50: null,
    duration_ms_p95: null,
  })
})

for (const [durations, p50, p95] of [
  [[7], 7, 7],
  [[10, 9], 9, 10],
  [[1, 100, 20], 20, 100],
  [Array.from({ length: 100 }, (_, index) => 100 - index), 50, 95],
  [[null, 5, null], 5, 5],
] as const) {
  test(`the median of ${durations.length} durations is ${p50} ms, and 95 % do not exceed ${p95} ms`, () => {
    const { duration_ms_p50, duration_ms_p95 } = calculateEndpointHealth('we_1', START, durations.map(sent))
    assert.equal([duration_ms_p50, duration_ms_p95], [p50, p95])
  })
}

test.run()
