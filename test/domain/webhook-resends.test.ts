import { windowProblems } from '../../src/domain/webhook-resends.ts'
import { DAY, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/webhook-resends')

const MILLISECONDS = START * 1000

/** window, the parameters that are told of */
const TABLE: readonly (readonly [window: Parameters<typeof windowProblems>[0], told: readonly string[]])[] = [
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

for (const [window, told] of TABLE) {
  test(`of the window ${JSON.stringify(window)} ${told.length === 0 ? 'nothing' : told.join(' and ')} is told`, () => {
    const problems = windowProblems(window, START)
    assert.equal(
      problems.map(({ param }) => param),
      told,
    )
    for (const { code } of problems) assert.is(code, 'timestamp_invalid')
  })
}

test.run()
