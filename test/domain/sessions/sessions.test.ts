import {
  createTrailingSessionFields,
  type ExpirationReason,
  expireSession,
  listSessionExpiryErrors,
  requireOpenSession,
  type Session,
} from '../../../src/domain/sessions/sessions.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/sessions/sessions')

const session = (fields: Partial<Session> = {}): Session => ({
  id: 'cks_1',
  object: 'checkout_session',
  status: 'open',
  url: 'http://127.0.0.1:4101/checkout/cks_1',
  expires_at: START + DAY,
  ...fields,
})

test('a session expires after a day by default', () => {
  assert.is(createTrailingSessionFields({}, createRuleContext()).expires_at, START + DAY)
  assert.is(
    createTrailingSessionFields({ expires_at: START + 7200 }, createRuleContext()).expires_at,
    START + 7200,
  )
})

/** Columns: seconds from now, whether the expiry is valid. */
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
  test(`${isAllowed ? 'accepts' : 'rejects'} a session expiry ${seconds === undefined ? 'that is omitted' : `in ${seconds} seconds`}`, () => {
    const given = seconds === undefined ? undefined : START + seconds
    const errors = listSessionExpiryErrors(given, START)
    assert.is(errors.length, isAllowed ? 0 : 1)
    for (const { code, param, message } of errors) {
      assert.equal([code, param], ['expires_at_out_of_range', 'expires_at'])
      const distance = Number(seconds) < 0 ? `${-Number(seconds)} seconds ago` : `${seconds} seconds from now`
      assert.match(message, new RegExp(`^Invalid expires_at ${given} .*is ${distance}, and must be`))
    }
  })
}

/** Columns: status, seconds from expiry, whether the session can change. */
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
  test(`a session with status ${status} ${isOpen ? 'can' : 'cannot'} be changed ${Math.abs(seconds)} s ${seconds < 0 ? 'before' : 'after'} its expiry`, async () => {
    const ask = () => requireOpenSession(session({ status }), 'complete', START + DAY + seconds)
    if (isOpen) return ask()
    const { code, message } = await catchDomainError(ask)
    assert.is(code, 'checkout_session_unexpected_state')
    assert.match(message, new RegExp(`^Cannot complete checkout_session 'cks_1': it is ${named}, and only`))
  })
}

test('the error for a session that is not open contains the session type in its code', async () => {
  const once = session({ object: 'payment_session', status: 'complete' })
  assert.is(
    (await catchDomainError(() => requireOpenSession(once, 'expire', START))).code,
    'payment_session_unexpected_state',
  )
})

test('sets expired_at to expires_at when a session reaches its expiry, otherwise to the current time', () => {
  const open = session({ id: 'cd_sess_1', object: 'card_session' })
  const late = createRuleContext(START + 5 * DAY)
  const expired = (reason: ExpirationReason) => expireSession(open, { reason, payment: null }, late)[0]
  assert.equal(expired('time')?.after, {
    ...open,
    ...{ status: 'expired', expired_at: START + DAY, expiration_reason: 'time' },
  })
  assert.equal(expired('api')?.after, {
    ...open,
    ...{ status: 'expired', expired_at: late.now, expiration_reason: 'api' },
  })
  assert.is(expired('customer_deleted')?.event, 'card_session.expired')
})

test.run()
