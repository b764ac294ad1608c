import {
  countEndpointFailure,
  isFailureLimitReached,
  isLocalConnectionRefused,
} from '../../../src/domain/events/webhook-health.ts'
import { START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/events/webhook-health')

test('counts the failures of an endpoint and stores the time of the first failure', () => {
  const { before, after } = countEndpointFailure(null, 'we_1', START)
  assert.equal(
    [before, after],
    [null, { id: 'we_1', object: 'webhook_health', failures: 1, failing_since: START }],
  )
  const next = countEndpointFailure(after, 'we_1', START + 9)
  assert.equal([next.before, next.after], [after, { ...after, failures: 2 }])
})

for (const [failures, days, expected] of [
  [1, 0, false],
  [99, 4.9, false],
  [100, 0, true],
  [2, 5, true],
] as const) {
  test(`${failures} failures in ${days} days ${expected ? 'reach' : 'do not reach'} the failure limit of an endpoint`, () => {
    const health = { id: 'we_1', object: 'webhook_health', failures, failing_since: START } as const
    assert.is(isFailureLimitReached(health, START + days * 86_400), expected)
  })
}

for (const [url, error, expected] of [
  ['http://127.0.0.1:3000/', 'refused', true],
  ['http://127.9.9.9/', 'refused', true],
  ['http://localhost:3000/', 'refused', true],
  ['http://app.localhost/', 'refused', true],
  ['http://[::1]:3000/', 'refused', true],
  ['http://127.0.0.1:3000/', 'reset', false],
  ['http://127.0.0.1:3000/', 'http_status', false],
  ['http://10.0.0.1/', 'refused', false],
  ['http://127.0.0.1.example.com/', 'refused', false],
  ['http://mylocalhost/', 'refused', false],
] as const) {
  test(`the delivery error ${error} at ${url} ${expected ? 'means' : 'does not mean'} that the handler is stopped`, () => {
    assert.is(isLocalConnectionRefused(url, error), expected)
  })
}

test.run()
