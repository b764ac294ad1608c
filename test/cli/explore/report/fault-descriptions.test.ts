import type { ScheduledFault } from '../../../../src/cli/explore/model/schedule.ts'
import {
  describeFault,
  describeSchedule,
  describeUncertainFinding,
  formatFaultName,
  listFaultCommands,
} from '../../../../src/cli/explore/report/fault-descriptions.ts'
import { assert, suite } from '../../../support/suite.ts'
import { DUPLICATE, KILLED, LOST_RESPONSE } from '../sample-runs.ts'

const test = suite('cli/explore/fault-words')

const OVERLOADED: ScheduledFault = {
  fault: 'error',
  at: { kind: 'request', operation: 'payments.create', occurrence: 2 },
  options: { http_status: 429, retry_after: 1 },
}
const CONCURRENT: ScheduledFault = { ...DUPLICATE, options: { copies: 3, order: 'concurrent' } }

test('describes faults in sentences', () => {
  const lost = 'The first payment_sessions.create request was executed, but its response was lost'
  const twice = 'The first delivery of payment.succeeded arrived twice, one after the other'
  assert.is(describeSchedule([]), 'No faults')
  assert.is(describeSchedule([LOST_RESPONSE, DUPLICATE]), `${lost}; ${twice}`)
  assert.equal([CONCURRENT, KILLED, OVERLOADED].map(describeFault), [
    'The first delivery of payment.succeeded arrived 3 times at the same time',
    'The app was killed right before the first payment_sessions.create request, and started again',
    'The second payments.create request failed with 429, and was not executed',
  ])
})

test('names occurrences with words up to the tenth, and with digits from the eleventh on', () => {
  const ordinals = [10, 11, 12, 13, 21, 22, 23, 24, 101, 111].map((occurrence) => {
    const text = describeFault({ ...DUPLICATE, at: { ...DUPLICATE.at, occurrence } })
    return /^The (\S+) delivery/.exec(text)?.[1]
  })
  const digits = ['11th', '12th', '13th', '21st', '22nd', '23rd', '24th', '101st', '111th']
  assert.equal(ordinals, ['tenth', ...digits])
})

test('names faults with the option that distinguishes them', () => {
  assert.equal([DUPLICATE, CONCURRENT, OVERLOADED, KILLED, LOST_RESPONSE].map(formatFaultName), [
    'duplicate (sequential)',
    'duplicate (concurrent)',
    'error (429)',
    'restart (before)',
    'drop_response',
  ])
})

test('names a race, and a finding that is not confirmed', () => {
  const race = { isConfirmed: true, occurrences: { failed: 3, runs: 4 } }
  assert.equal(describeUncertainFinding(race), ['This is a race: the app ended differently in 3 of 4 runs.'])
  const unconfirmed = { isConfirmed: false, occurrences: { failed: 1, runs: 1 } }
  assert.equal(describeUncertainFinding(unconfirmed), [
    'The time limit was reached before the confirmation: the app ended differently in 1 of 1 run. For more time: `--time 5m`',
  ])
  assert.equal(describeUncertainFinding({ ...race, occurrences: { failed: 3, runs: 3 } }), [])
})

test('returns the commands that simulate a schedule', () => {
  assert.equal(listFaultCommands([OVERLOADED, CONCURRENT]), [
    'paycli faults add error --operation payments.create --skip 1 --times 1 --status 429 --retry-after 1',
    'paycli faults add duplicate --events payment.succeeded --times 1 --copies 3 --concurrent',
  ])
  assert.equal(listFaultCommands([OVERLOADED, KILLED]), [])
})

test('escapes and quotes a name that comes from a file or from the app', () => {
  const hostile: ScheduledFault = {
    fault: 'duplicate',
    at: { kind: 'delivery', event_type: 'x; rm -rf ~\u001b[2J', occurrence: 1 },
    options: {},
  }
  assert.match(describeFault(hostile), /^The first delivery of x; rm -rf ~\\u001b\[2J arrived/)
  assert.equal(listFaultCommands([hostile]), [
    "paycli faults add duplicate --events 'x; rm -rf ~\\u001b[2J' --times 1",
  ])
})

test('describes faults on payments, and returns their commands', () => {
  const decline = { fault: 'decline', at: { kind: 'payment', occurrence: 2 }, options: {} } as const
  assert.is(describeFault(decline), 'The issuer declined the second charge of a card')
  assert.equal(listFaultCommands([decline]), ['paycli faults add decline --skip 1 --times 1'])
})

test.run()
