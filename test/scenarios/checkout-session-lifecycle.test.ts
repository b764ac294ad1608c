import { api } from '../../src/api/api.ts'
import { after, testLifecycle } from '../support/lifecycle.ts'
import { newCheckout } from '../support/samples.ts'
import { suite } from '../support/suite.ts'
import { type SessionSubject, sessionTriggers } from './session-triggers.ts'

const test = suite('scenarios/checkout-session-lifecycle')

/**
 * A session that charges immediately. Abbreviations are id prefixes: cks session, pm card, sub subscription, in
 * invoice, py payment, cus customer. `wait` is a pending 3-D Secure authentication; `same` is no stored change.
 */
const TABLE = `
  open      visa,api_visa → complete paid
      pm.attached cus.updated sub.created in.created in.finalized py.created py.succeeded in.paid cks.completed
      leaves pm sub:active in:paid py:succeeded
  open      declined    → open unpaid ! card_declined generic_decline
      py.created py.failed
      leaves py:failed
  open      sca         → open unpaid
      py.created py.requires_action
      leaves py:requires_action wait
  open      approve,reject → same ! checkout_session_unexpected_state
  open      api_reject  → open unpaid ! authentication_failed
      py.created py.requires_action py.failed
      leaves py:failed
  open      expire      → expired unpaid api
      cks.expired
      leaves nothing
  open      time        → expired unpaid time
      cks.expired
      leaves nothing
  open      no_customer → expired unpaid customer_deleted
      cks.expired cus.deleted
      leaves nothing
  open,waiting  typo        → same ! incorrect_number
  open,waiting  stranger    → same ! card_declined not_a_test_card
  open,waiting  retrieve    → same

  waiting   visa,api_visa → complete paid
      py.canceled pm.attached cus.updated sub.created in.created in.finalized py.created py.succeeded in.paid cks.completed
      leaves pm sub:active in:paid py:canceled py:succeeded
  waiting   declined    → open unpaid ! card_declined generic_decline
      py.canceled py.created py.failed
      leaves py:canceled py:failed
  waiting   sca         → open unpaid
      py.canceled py.created py.requires_action
      leaves py:canceled py:requires_action wait
  waiting   approve     → complete paid
      pm.attached cus.updated sub.created in.created in.finalized py.succeeded in.paid cks.completed
      leaves pm sub:active in:paid py:succeeded
  waiting   reject      → open unpaid ! authentication_failed
      py.failed
      leaves py:failed
  waiting   api_reject  → open unpaid ! authentication_failed
      py.canceled py.created py.requires_action py.failed
      leaves py:canceled py:failed
  waiting   expire      → expired unpaid api
      py.canceled cks.expired
      leaves py:canceled
  waiting   time        → expired unpaid time
      py.canceled cks.expired
      leaves py:canceled
  waiting   no_customer → expired unpaid customer_deleted
      py.canceled cks.expired cus.deleted
      leaves py:canceled

  complete  no_customer → complete paid
      sub.canceled pm.detached cus.deleted
      leaves pm:detached sub:canceled in:paid py:succeeded
  complete,expired,orphaned  visa,declined,typo,stranger,sca,approve,reject,api_visa → same ! checkout_session_unexpected_state
  complete,expired,orphaned  api_reject,expire → same ! checkout_session_unexpected_state
  complete,expired,orphaned  time,retrieve → same

  expired   no_customer → expired unpaid api
      cus.deleted
      leaves nothing

  orphaned  no_customer → same ! resource_missing
`

const triggers = sessionTriggers(api.checkoutSessions)
const waiting = after(newCheckout, triggers.sca)

testLifecycle<SessionSubject>(test, {
  table: TABLE,
  states: {
    open: newCheckout,
    waiting,
    complete: after(newCheckout, triggers.visa),
    expired: after(newCheckout, triggers.expire),
    orphaned: after(waiting, triggers.no_customer),
  },
  triggers,
  stateOf: async (sandbox, { id }) => {
    const { status, payment_status, expiration_reason } = await sandbox.call(api.checkoutSessions.retrieve, {
      id,
    })
    return [status, payment_status, expiration_reason ?? ''].join(' ').trim()
  },
})

test.run()
