import { pauseFields, pauseOf, validatePauseCollection } from '../../src/domain/pause-collection.ts'
import type { Subscription } from '../../src/domain/subscriptions.ts'
import { aSubscription } from '../support/account-samples.ts'
import { createRuleContext, DAY, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/pause-collection')

const FIVE_YEARS = 5 * 365.25 * DAY

test('a subscription of version 0.1.0, which lacks the field, is not paused', () => {
  const { pause_collection: _, ...fields } = aSubscription(createRuleContext())
  const older: Partial<Subscription> = fields
  assert.is(pauseOf(older), null)
})

test('a pause without resumes_at lasts until it is resumed', () => {
  const paused = { pause_collection: { behavior: 'void', resumes_at: null } } as const
  assert.equal(pauseFields({}, { behavior: 'void' }), paused)
  assert.equal(pauseFields({}, { behavior: 'void', resumes_at: null }), paused)
  assert.equal(pauseFields(paused, null), { pause_collection: null })
  assert.equal(pauseFields(paused, undefined), {})
})

test('resuming a subscription that is not paused, or that lacks the field, changes nothing', () => {
  assert.equal(pauseFields({ pause_collection: null }, null), {})
  assert.equal(pauseFields({}, null), {})
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
