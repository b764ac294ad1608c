import { validateTimeWindow } from '../../src/domain/webhook-resends.ts'
import { DAY, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/webhook-resends')

const MILLISECONDS = START * 1000

/** time window, parameters with errors */
const TABLE: readonly (readonly [
  window: Parameters<typeof validateTimeWindow>[0],
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
    const errors = validateTimeWindow(window, START)
    assert.equal(
      errors.map(({ param }) => param),
      invalid,
    )
    for (const { code } of errors) assert.is(code, 'timestamp_invalid')
  })
}

test.run()
