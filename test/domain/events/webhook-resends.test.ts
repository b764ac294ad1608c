import type { WebhookDelivery } from '../../../src/domain/events/webhook-deliveries.ts'
import { isMissedEvent, listTimeWindowErrors } from '../../../src/domain/events/webhook-resends.ts'
import { DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/events/webhook-resends')

const MILLISECONDS = START * 1000

/** Columns: time window, parameters with errors. */
const TABLE: readonly (readonly [
  window: Parameters<typeof listTimeWindowErrors>[0],
  invalid: readonly string[],
])[] = [
  [{ since: START - 14 * DAY }, []],
  [{ since: START - 14 * DAY - 1 }, ['since']],
  [{ since: START - DAY, until: START - DAY }, []],
  [{ since: START - DAY, until: START - DAY - 1 }, ['until']],
  [{ since: 5, until: 4 }, ['since', 'until']],
  [{ since: MILLISECONDS }, ['since']],
  [{ since: MILLISECONDS, until: START }, ['since']],
  [{ since: 5, until: MILLISECONDS }, ['until', 'since']],
  [{ since: null, until: 5 }, []],
  [{ since: null, until: MILLISECONDS }, ['until']],
  [{ since: START, until: null }, []],
]

for (const [window, invalid] of TABLE) {
  test(`validation ${invalid.length === 0 ? 'accepts' : `reports ${invalid.join(' and ')} in`} the time window ${JSON.stringify(window)}`, () => {
    const errors = listTimeWindowErrors(window, START)
    assert.equal(
      errors.map(({ param }) => param),
      invalid,
    )
    for (const { code } of errors) assert.is(code, 'timestamp_invalid')
  })
}

type Attempt = Pick<WebhookDelivery, 'status' | 'next_attempt_at'>

const FAILED: Attempt = { status: 'failed', next_attempt_at: null }
const SKIPPED: Attempt = { status: 'skipped', next_attempt_at: null }
const SUCCEEDED: Attempt = { status: 'succeeded', next_attempt_at: null }
const HELD: Attempt = { status: 'pending', next_attempt_at: null }
const DUE: Attempt = { status: 'pending', next_attempt_at: START }
const LATER: Attempt = { status: 'pending', next_attempt_at: START + 1 }

for (const [name, attempts, expected] of [
  ['no delivery', [], false],
  ['a failed delivery', [FAILED], true],
  ['a skipped delivery', [SKIPPED], true],
  ['a retry that succeeded', [FAILED, SUCCEEDED], false],
  ['a due retry', [FAILED, DUE], false],
  ['a scheduled retry', [FAILED, LATER], true],
  ['a held retry', [FAILED, HELD], true],
  ['a first delivery that is held', [HELD], false],
] as const) {
  test(`an event with ${name} ${expected ? 'counts' : 'does not count'} as missed`, () => {
    const deliveries = attempts.map((attempt) => ({ ...attempt, webhook_endpoint: 'we_1' }))
    const others = [{ ...FAILED, webhook_endpoint: 'we_2' }]
    assert.is(isMissedEvent([...deliveries, ...others] as WebhookDelivery[], 'we_1', START), expected)
  })
}

test.run()
