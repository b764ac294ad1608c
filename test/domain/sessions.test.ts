import { expired, expiryOf, expiryProblems, requireOpen, type Session } from '../../src/domain/sessions.ts'
import { createRuleContext, DAY, START } from '../support/rule-context.ts'
import { refusal } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/sessions')

const session = (fields: Partial<Session> = {}): Session => ({
  id: 'cks_1',
  object: 'checkout_session',
  status: 'open',
  url: 'http://127.0.0.1:4101/checkout/cks_1',
  expires_at: START + DAY,
  ...fields,
})

test('a session lives for a day unless given', () => {
  assert.is(expiryOf(undefined, createRuleContext()), START + DAY)
  assert.is(expiryOf(START + 7200, createRuleContext()), START + 7200)
})

/** seconds from now, and whether a session may expire then */
const EXPIRIES: readonly (readonly [seconds: number | undefined, isAllowed: boolean])[] = [
  [undefined, true],
  [1800, true],
  [1799, false],
  [0, false],
  [-1, false],
  [70 * DAY, true],
  [70 * DAY + 1, false],
  [START * 1000, false],
]

for (const [seconds, isAllowed] of EXPIRIES) {
  test(`an expiry ${seconds ?? 'not given'} seconds ahead is ${isAllowed ? 'taken' : 'refused'}`, () => {
    const given = seconds === undefined ? undefined : START + seconds
    const problems = expiryProblems(given, START)
    assert.is(problems.length, isAllowed ? 0 : 1)
    for (const { code, param, message } of problems) {
      assert.equal([code, param], ['expires_at_out_of_range', 'expires_at'])
      const distance = Number(seconds) < 0 ? `${-Number(seconds)} seconds ago` : `${seconds} seconds from now`
      assert.match(message, new RegExp(`^expires_at ${given} .*is ${distance}; it must be`))
    }
  })
}

/** state, second before or after its expiry, whether something can be done */
const STATES: readonly (readonly [
  status: Session['status'],
  seconds: number,
  isOpen: boolean,
  named: string,
])[] = [
  ['open', -1, true, ''],
  ['open', 0, false, 'expired'],
  ['open', 1, false, 'expired'],
  ['complete', -1, false, 'complete'],
  ['complete', 1, false, 'complete'],
  ['expired', -1, false, 'expired'],
  ['expired', 1, false, 'expired'],
]

for (const [status, seconds, isOpen, named] of STATES) {
  test(`a session that is ${status} ${seconds} s from its expiry ${isOpen ? 'can' : 'cannot'} be changed`, async () => {
    const ask = () => requireOpen(session({ status }), 'complete', START + DAY + seconds)
    if (isOpen) return ask()
    const { code, message } = await refusal(ask)
    assert.is(code, 'checkout_session_unexpected_state')
    assert.match(message, new RegExp(`^Cannot complete checkout_session 'cks_1': it is ${named}, and only`))
  })
}

test('the code of a wrong state names the kind of session', async () => {
  const once = session({ object: 'payment_session', status: 'complete' })
  assert.is(
    (await refusal(() => requireOpen(once, 'expire', START))).code,
    'payment_session_unexpected_state',
  )
})

test('a session that time expires did so at its expiry, any other now', () => {
  const late = START + 5 * DAY
  assert.is(expired('time', session(), late).expired_at, START + DAY)
  assert.is(expired('api', session(), late).expired_at, late)
  assert.equal(expired('customer_deleted', session(), START), {
    status: 'expired',
    expired_at: START,
    expiration_reason: 'customer_deleted',
  })
})

test.run()
