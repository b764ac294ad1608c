import { pauseFields, validatePauseCollection } from '../../../src/domain/billing/pause-collection.ts'
import { DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/billing/pause-collection')

const NO_PAUSE = { pause_collection: null }
const FIVE_YEARS = 5 * 365.25 * DAY

test('a pause without resumes_at lasts until it is resumed', () => {
  const paused = { pause_collection: { behavior: 'void', resumes_at: null } } as const
  assert.equal(pauseFields(NO_PAUSE, { behavior: 'void' }), paused)
  assert.equal(pauseFields(NO_PAUSE, { behavior: 'void', resumes_at: null }), paused)
  assert.equal(pauseFields(paused, null), { pause_collection: null })
  assert.equal(pauseFields(paused, undefined), {})
})

test('resuming a subscription that is not paused changes nothing', () => {
  assert.equal(pauseFields(NO_PAUSE, null), {})
})

/** resumes_at, reason of the error */
const TIMES: readonly (readonly [number, string | null])[] = [
  [START, 'not in the future'],
  [START - DAY, 'not in the future'],
  [START + 1, null],
  [START + FIVE_YEARS, null],
  [START + FIVE_YEARS + 1, 'more than 5 years ahead'],
]

for (const [resumes_at, reason] of TIMES) {
  test(`resumes_at ${resumes_at - START} s from now is ${reason ?? 'valid'}`, () => {
    const errors = validatePauseCollection({ behavior: 'void', resumes_at }, START)
    assert.equal(
      errors.map(({ code, param }) => `${code} ${param}`),
      reason === null ? [] : ['timestamp_invalid pause_collection[resumes_at]'],
    )
    assert.ok(reason === null || errors[0]?.message.includes(reason))
  })
}

test('only milliseconds are an error while the time is unknown', () => {
  const check = (resumes_at: number) => validatePauseCollection({ behavior: 'void', resumes_at }, null)
  assert.equal(check(START - DAY), [])
  assert.is(check(START * 1000)[0]?.code, 'timestamp_invalid')
})

test('no pause and an invalid pause have no errors of their own', () => {
  assert.equal(validatePauseCollection(undefined, START), [])
  assert.equal(validatePauseCollection(null, START), [])
  assert.equal(validatePauseCollection({ resumes_at: null }, START), [])
})

test.run()
