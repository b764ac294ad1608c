import { listPauseCollectionErrors } from '../../../src/domain/billing/pause-collection.ts'
import { DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/billing/pause-collection')

const FIVE_YEARS = 5 * 365.25 * DAY

/** Columns: resumes_at, reason of the error. */
const TIMES: readonly (readonly [number, string | null])[] = [
  [START, 'not in the future'],
  [START + 1, null],
  [START + FIVE_YEARS, null],
  [START + FIVE_YEARS + 1, 'more than 5 years ahead'],
]

for (const [resumes_at, reason] of TIMES) {
  test(`resumes_at ${resumes_at - START} s from now is ${reason ?? 'valid'}`, () => {
    const errors = listPauseCollectionErrors({ behavior: 'void', resumes_at }, START)
    assert.equal(
      errors.map(({ code, param }) => `${code} ${param}`),
      reason === null ? [] : ['timestamp_invalid pause_collection[resumes_at]'],
    )
    assert.ok(reason === null || errors[0]?.message.includes(reason))
  })
}

test.run()
