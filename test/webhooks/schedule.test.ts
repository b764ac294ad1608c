import fc from 'fast-check'
import type { DeliveryError } from '../../src/domain/events/webhook-deliveries.ts'
import { computeNextAttemptMs, DEFAULT_SCHEDULE, parseRetrySchedule } from '../../src/webhooks/schedule.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('webhooks/schedule')

const NOW = 784_111_777 // Sun, 06 Nov 1994 08:49:37 GMT

/** Columns: attempt; minimum, median and maximum delay in seconds; the same three delays for an overloaded endpoint. */
const TABLE = `
  0     0     0     0     60    66    72
  1     4     5     6     60    66    72
  2   240   300   360    240   300   360
  3  1440  1800  2160   1440  1800  2160
  4  5760  7200  8640   5760  7200  8640
  5 14400 18000 21600  14400 18000 21600
  6 28800 36000 43200  28800 36000 43200
  7 28800 36000 43200  28800 36000 43200
`

const RANDOM_NUMBERS = [0, 0.5, 1 - Number.EPSILON]

interface Given {
  readonly attempt: number
  readonly error?: DeliveryError
  readonly status?: number | null
  readonly retryAfter?: string
  readonly randomNumber?: number
}

function wait({
  attempt,
  error = 'http_status',
  status = 500,
  retryAfter,
  randomNumber = 0.5,
}: Given): number | null {
  const atMs = computeNextAttemptMs({
    schedule: DEFAULT_SCHEDULE,
    attempt,
    nowMs: NOW * 1000,
    failure: { error, http_status: status },
    retryAfter: retryAfter ?? null,
    random: () => randomNumber,
  })
  return atMs === null ? null : atMs / 1000 - NOW
}

test('the default schedule is 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h', () => {
  assert.equal(DEFAULT_SCHEDULE, [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000])
})

for (const line of TABLE.trim().split('\n')) {
  const [attempt = 0, ...waits] = line.trim().split(/\s+/).map(Number)
  test(`retries attempt ${attempt} after ${waits[0]} to ${waits[2]} s, or ${waits[3]} to ${waits[5]} s when overloaded`, () => {
    for (const [index, randomNumber] of RANDOM_NUMBERS.entries()) {
      assert.is(wait({ attempt, randomNumber }), waits[index])
      assert.is(wait({ attempt, randomNumber, error: 'connection', status: null }), waits[index])
      assert.is(wait({ attempt, randomNumber, status: 503 }), waits[index + 3])
    }
  })
}

test('returns null instead of a retry time after the eighth attempt', () => {
  assert.is(wait({ attempt: 8 }), null)
  assert.is(wait({ attempt: 9, retryAfter: '5' }), null)
})

test('delays a retry by at least a minute only after 429, 502, 503, 504 and timeouts', () => {
  const waitsAMinute = (options: Omit<Given, 'attempt'>) =>
    (wait({ attempt: 1, randomNumber: 0, ...options }) ?? 0) >= 60
  const statuses = [301, 400, 404, 408, 410, 425, 429, 500, 501, 502, 503, 504, 505]
  assert.equal(
    statuses.filter((status) => waitsAMinute({ status })),
    [429, 502, 503, 504],
  )
  const errors: DeliveryError[] = ['timeout', 'connection', 'tls', 'redirect', 'http_status']
  assert.equal(
    errors.filter((error) => waitsAMinute({ error, status: null })),
    ['timeout'],
  )
})

/** Columns: Retry-After after the second attempt (300 s), resulting delay in seconds. */
const RETRY_AFTER: [string, number | null][] = [
  ['0', 300],
  ['299', 300],
  ['301', 301],
  [' 600 ', 600],
  ['601', 600],
  ['9'.repeat(64), 600],
  ['Sun, 06 Nov 1994 08:57:37 GMT', 480],
  ['Sunday, 06-Nov-94 08:57:37 GMT', 480],
  ['Sun Nov  6 08:57:37 1994', 480],
  ['Sun, 06 Nov 1994 08:49:36 GMT', 300],
  ['Mon, 06 Nov 2034 08:49:37 GMT', 600],
]

for (const [retryAfter, seconds] of RETRY_AFTER) {
  test(`Retry-After '${retryAfter}' delays the retry by ${seconds} s for any random number`, () => {
    for (const randomNumber of RANDOM_NUMBERS)
      assert.is(wait({ attempt: 2, retryAfter, randomNumber }), seconds)
  })
}

test('ignores an invalid Retry-After', () => {
  const texts = [
    '',
    '-5',
    '1.5',
    '5 minutes',
    'soon',
    'in 5',
    '9'.repeat(65),
    'Foo, 99 Bar 1994 99:99:99 GMT',
  ]
  for (const retryAfter of texts) {
    for (const randomNumber of RANDOM_NUMBERS)
      assert.is(
        wait({ attempt: 2, retryAfter, randomNumber }),
        wait({ attempt: 2, randomNumber }),
        retryAfter,
      )
  }
})

test('Retry-After delays a retry of an overloaded endpoint by up to two minutes', () => {
  assert.is(wait({ attempt: 1, status: 503, retryAfter: '1' }), 60)
  assert.is(wait({ attempt: 1, status: 503, retryAfter: '100' }), 100)
  assert.is(wait({ attempt: 1, status: 429, retryAfter: '3600' }), 120)
})

test('delays a retry by whole seconds, within 20 % of the schedule or within the limits of Retry-After', () => {
  const cases = fc.record({
    nowMs: fc.integer({ min: NOW * 1000, max: (NOW + 1) * 1000 }),
    schedule: fc.array(fc.nat(604_800), { minLength: 1, maxLength: 20 }),
    attempt: fc.nat(20),
    randomNumber: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    http_status: fc.constantFrom(null, 301, 404, 429, 500, 503),
    retryAfterSeconds: fc.oneof(fc.constant(null), fc.nat(2_000_000)),
  })
  fc.assert(
    fc.property(cases, ({ nowMs, schedule, attempt, randomNumber, http_status, retryAfterSeconds }) => {
      const failure = { error: 'http_status', http_status } as const
      const retryAfter = retryAfterSeconds === null ? null : String(retryAfterSeconds)
      const atMs = computeNextAttemptMs({
        schedule,
        attempt,
        nowMs,
        failure,
        retryAfter,
        random: () => randomNumber,
      })
      const scheduled = schedule[attempt]
      if (scheduled === undefined) return atMs === null
      const least = http_status === 429 || http_status === 503 ? 60 : 0
      const base = Math.max(scheduled, least)
      const [low, high] =
        retryAfterSeconds === null ? [Math.max(base * 0.8, least), base * 1.2] : [base, base * 2]
      const seconds = ((atMs ?? Number.NaN) - nowMs) / 1000
      return Number.isInteger(seconds) && seconds >= low - 1e-6 && seconds <= high + 1e-6
    }),
  )
})

test('retries exactly at the date of Retry-After when the schedule allows it', () => {
  const cases = fc.record({ offsetMs: fc.nat(999), seconds: fc.integer({ min: 301, max: 599 }) })
  fc.assert(
    fc.property(cases, ({ offsetMs, seconds }) => {
      const retryAfter = new Date((NOW + seconds) * 1000).toUTCString()
      const failure = { error: 'http_status', http_status: 500 } as const
      const failed = { schedule: [0, 5, 300], attempt: 2, failure, retryAfter, random: () => 0 }
      assert.is(computeNextAttemptMs({ ...failed, nowMs: NOW * 1000 + offsetMs }), (NOW + seconds) * 1000)
    }),
  )
})

test('parses a schedule with or without the leading 0', () => {
  assert.equal(parseRetrySchedule('1s,5s,30m,2h'), [0, 1, 5, 1800, 7200])
  assert.equal(parseRetrySchedule('0,1s, 5s ,30m,2h'), [0, 1, 5, 1800, 7200])
  assert.equal(parseRetrySchedule('7d'), [0, 604_800])
  assert.equal(parseRetrySchedule('0s,0s'), [0, 0, 0])
  assert.equal(parseRetrySchedule('0'), [0])
})

test('rejects an invalid schedule, and the error contains the input and an example', () => {
  for (const text of [
    '',
    '5',
    '5s,',
    '5s;5m',
    '-1s',
    '1.5s',
    '2w',
    '1mo',
    'NaN',
    '8d',
    '9999999s',
    '5s,1e3s',
  ]) {
    assert.throws(
      () => parseRetrySchedule(text),
      (error: Error) => error.message.includes(`'${text}'`) && error.message.includes('5s,5m,2h'),
      text,
    )
  }
  assert.is(parseRetrySchedule(Array(30).fill('1s').join()).length, 31)
  assert.throws(() => parseRetrySchedule(Array(31).fill('1s').join()), /at most 30 delays, got 31/)
})

test.run()
