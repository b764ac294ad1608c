import {
  findTrialEnd,
  listTrialEndErrors,
  listTrialErrors,
  normalizeTrial,
} from '../../../src/domain/sessions/trial-terms.ts'
import { DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/sessions/trial-terms')

const pause = { missing_payment_method: 'pause' } as const

/** Columns: terms, now, end of the trial. */
const ENDS: readonly (readonly [Parameters<typeof findTrialEnd>[0], number, number | null])[] = [
  [{ trial_days: null, trial_end: null }, START, null],
  [{ trial_days: 14, trial_end: null }, START, START + 14 * DAY],
  [{ trial_days: 14, trial_end: null }, START + 5, START + 5 + 14 * DAY],
  [{ trial_days: null, trial_end: START + 1 }, START, START + 1],
  [{ trial_days: null, trial_end: START + 1 }, START + 1, null],
  [{ trial_days: null, trial_end: START }, START + DAY, null],
]

for (const [terms, now, end] of ENDS) {
  test(`a trial of ${JSON.stringify(terms)} that starts at ${now - START} ends at ${end && end - START}`, () => {
    assert.is(findTrialEnd(terms, now), end)
  })
}

test('a trial has the default settings create_invoice, and a subscription without a trial has no settings', () => {
  const create_invoice = { missing_payment_method: 'create_invoice' }
  assert.equal(normalizeTrial({}), { trial_days: null, trial_end: null, trial_settings: null })
  assert.equal(normalizeTrial({ trial_days: 3 }), {
    trial_days: 3,
    trial_end: null,
    trial_settings: create_invoice,
  })
  assert.equal(normalizeTrial({ trial_end: START, trial_settings: pause }), {
    trial_days: null,
    trial_end: START,
    trial_settings: pause,
  })
})

type Given = Parameters<typeof listTrialErrors>

/** Columns: terms, payment_method_collection, errors. */
const ERRORS: readonly (readonly [Given[0], Given[1], string])[] = [
  [{}, undefined, ''],
  [{}, 'always', ''],
  [{}, 'if_required', 'trial_missing payment_method_collection'],
  [
    { trial_settings: pause },
    undefined,
    'trial_missing subscription_data[trial_settings][missing_payment_method]',
  ],
  [{ trial_days: 14, trial_settings: pause }, 'if_required', ''],
  [{ trial_end: START + DAY, trial_settings: pause }, 'if_required', ''],
  [
    { trial_days: 14, trial_end: START + DAY },
    undefined,
    'parameters_exclusive subscription_data[trial_days]',
  ],
  [{ trial_days: 14, start_date: 0 }, undefined, 'parameters_exclusive subscription_data[trial_days]'],
  [{ trial_end: START + 1, start_date: 0 }, undefined, 'parameters_exclusive subscription_data[trial_end]'],
  [{ trial_end: START }, undefined, 'timestamp_invalid subscription_data[trial_end]'],
  [{ trial_end: START * 1000 }, undefined, 'timestamp_invalid subscription_data[trial_end]'],
  [{ trial_end: null }, 'if_required', ''],
]

for (const [terms, collection, expected] of ERRORS) {
  test(`a session with ${JSON.stringify(terms)} and ${collection} has ${expected || 'no'} errors`, () => {
    const errors = listTrialErrors(terms, collection, START)
    assert.is(errors.map(({ code, param }) => `${code} ${param}`).join(), expected)
  })
}

test('the end of a trial is in the future and at most 730 days ahead', () => {
  const codes = (end: number, now: number | null = START) =>
    listTrialEndErrors(end, now).map(({ code, param }) => `${code} ${param}`)
  assert.equal(codes(START + 1), [])
  assert.equal(codes(START + 730 * DAY), [])
  assert.equal(codes(START + 730 * DAY + 1), ['timestamp_invalid trial_end'])
  assert.equal(codes(START), ['timestamp_invalid trial_end'])
  assert.equal(codes(START, null), [])
})

test('the messages about an invalid trial end name the reason', () => {
  const messageOf = (end: number) => listTrialEndErrors(end, START)[0]?.message ?? ''
  assert.match(messageOf(START), /it is not in the future/)
  assert.match(messageOf(START + 731 * DAY), /it is more than 2 years \(730 days\) ahead/)
})

test.run()
