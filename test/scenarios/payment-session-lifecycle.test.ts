import { api } from '../../src/api/api.ts'
import { after, testLifecycle } from '../support/lifecycle.ts'
import { newPaymentSession } from '../support/samples.ts'
import type { Sandbox } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'
import { enters, type SessionSubject, sessionTriggers } from './session-triggers.ts'

const test = suite('scenarios/payment-session-lifecycle')

/**
 * Abbreviations are id prefixes: py_sess session, py payment, cus customer. `wait` is a pending 3-D Secure
 * authentication.
 */
const TABLE = `
  open      visa,api_visa → complete paid
      py.created py.succeeded py_sess.completed
      leaves py:succeeded
  open      declined    → open unpaid ! card_declined generic_decline
      py.created py.failed
      leaves py:failed
  open      broke       → open unpaid ! card_declined insufficient_funds
      py.created py.failed
      leaves py:failed
  open      sca         → open unpaid
      py.created py.requires_action
      leaves py:requires_action wait
  open      approve,reject → same ! payment_session_unexpected_state
  open      api_sca     → complete paid
      py.created py.requires_action py.succeeded py_sess.completed
      leaves py:succeeded
  open      api_reject  → open unpaid ! authentication_failed
      py.created py.requires_action py.failed
      leaves py:failed
  open      expire      → expired unpaid api
      py_sess.expired
      leaves nothing
  open      time        → expired unpaid time
      py_sess.expired
      leaves nothing
  open      no_customer → expired unpaid customer_deleted
      py_sess.expired cus.deleted
      leaves nothing
  open,waiting  typo        → same ! incorrect_number
  open,waiting  stranger    → same ! card_declined not_a_test_card
  open,waiting  api_no_card → same ! card_number_missing
  open,waiting  retrieve    → same

  waiting   visa,api_visa → complete paid
      py.canceled py.created py.succeeded py_sess.completed
      leaves py:canceled py:succeeded
  waiting   declined    → open unpaid ! card_declined generic_decline
      py.canceled py.created py.failed
      leaves py:canceled py:failed
  waiting   broke       → open unpaid ! card_declined insufficient_funds
      py.canceled py.created py.failed
      leaves py:canceled py:failed
  waiting   sca         → open unpaid
      py.canceled py.created py.requires_action
      leaves py:canceled py:requires_action wait
  waiting   approve     → complete paid
      py.succeeded py_sess.completed
      leaves py:succeeded
  waiting   reject      → open unpaid ! authentication_failed
      py.failed
      leaves py:failed
  waiting   api_sca     → complete paid
      py.canceled py.created py.requires_action py.succeeded py_sess.completed
      leaves py:canceled py:succeeded
  waiting   api_reject  → open unpaid ! authentication_failed
      py.canceled py.created py.requires_action py.failed
      leaves py:canceled py:failed
  waiting   expire      → expired unpaid api
      py.canceled py_sess.expired
      leaves py:canceled
  waiting   time        → expired unpaid time
      py.canceled py_sess.expired
      leaves py:canceled
  waiting   no_customer → expired unpaid customer_deleted
      py.canceled py_sess.expired cus.deleted
      leaves py:canceled

  complete  no_customer → complete paid
      cus.deleted
      leaves py:succeeded
  complete,expired,orphaned  visa,declined,broke,typo,stranger,sca,approve,reject → same ! payment_session_unexpected_state
  complete,expired,orphaned  api_visa,api_sca,api_reject,api_no_card,expire → same ! payment_session_unexpected_state
  complete,expired,orphaned  time,retrieve → same

  expired   no_customer → expired unpaid time
      cus.deleted
      leaves nothing

  orphaned  no_customer → same ! resource_missing
`

const triggers = sessionTriggers(api.paymentSessions)
const open = (sandbox: Sandbox) => newPaymentSession(sandbox)
const waiting = after(open, triggers.sca)

testLifecycle<SessionSubject>(test, {
  table: TABLE,
  states: {
    open,
    waiting,
    complete: after(waiting, triggers.approve),
    expired: after(open, triggers.time),
    orphaned: after(waiting, triggers.no_customer),
  },
  triggers: {
    ...triggers,
    broke: enters('broke'),
    api_sca: (sandbox, { id }) => sandbox.call(api.paymentSessions.complete, { id, test_card: 'sca_always' }),
    api_no_card: (sandbox, { id }) => sandbox.call(api.paymentSessions.complete, { id }),
  },
  stateOf: async (sandbox, { id }) => {
    const { status, payment_status, expiration_reason } = await sandbox.call(api.paymentSessions.retrieve, {
      id,
    })
    return [status, payment_status, expiration_reason ?? ''].join(' ').trim()
  },
})

test.run()
