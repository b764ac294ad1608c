import { api } from '../../src/api/api.ts'
import { subscribe, toNextPeriod } from '../support/billing.ts'
import { after, testLifecycle } from '../support/lifecycle.ts'
import { newCardSession, newCustomer } from '../support/samples.ts'
import type { Sandbox } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'
import { enters, type SessionSubject, sessionTriggers } from './session-triggers.ts'

const test = suite('scenarios/card-session-lifecycle')

/**
 * A session for a customer with a past due subscription. Abbreviations are id prefixes: cd_sess session, pm card, py
 * payment, sub subscription, in invoice, cus customer. `wait` is a pending 3-D Secure authentication. Payments and
 * invoices of the first period are paid.
 */
const TABLE = `
  open      visa,slow,api_visa,api_sca → complete
      pm.attached cus.updated sub.updated py.created py.succeeded in.paid sub.recovered cd_sess.completed
      leaves pm pm sub:active in:paid in:paid py:failed py:succeeded py:succeeded
  open      declined      → same ! card_declined generic_decline
  open      broke,api_sca_broke → same ! card_declined insufficient_funds
  open      sca           → open
      silent
      leaves pm sub:past_due in:open in:paid py:failed py:succeeded wait
  open      approve,reject → same ! card_session_unexpected_state
  open      api_reject    → same ! authentication_failed
  open      retrieve      → same
  open,waiting  after_attach  → complete
      pm.attached cus.updated sub.updated py.created py.failed in.payment_failed cd_sess.completed
      leaves pm pm sub:past_due in:open in:paid py:failed py:failed py:succeeded
  open,waiting  typo          → same ! incorrect_number
  open,waiting  stranger      → same ! card_declined not_a_test_card
  open,waiting  api_no_card   → same ! card_number_missing
  open,waiting  expire        → expired api
      cd_sess.expired
      leaves pm sub:past_due in:open in:paid py:failed py:succeeded
  open,waiting  time          → expired time
      cd_sess.expired
      leaves pm sub:past_due in:open in:paid py:failed py:succeeded
  open,waiting  no_customer   → expired customer_deleted
      cd_sess.expired sub.canceled in.updated pm.detached cus.deleted
      leaves pm:detached sub:canceled in:open in:paid py:failed py:succeeded

  waiting   visa,slow,approve,api_visa,api_sca → complete
      pm.attached cus.updated sub.updated py.created py.succeeded in.paid sub.recovered cd_sess.completed
      leaves pm pm sub:active in:paid in:paid py:failed py:succeeded py:succeeded
  waiting   declined      → open ! card_declined generic_decline
      silent
      leaves pm sub:past_due in:open in:paid py:failed py:succeeded
  waiting   broke,api_sca_broke → open ! card_declined insufficient_funds
      silent
      leaves pm sub:past_due in:open in:paid py:failed py:succeeded
  waiting   sca,retrieve  → same
  waiting   reject,api_reject → open ! authentication_failed
      silent
      leaves pm sub:past_due in:open in:paid py:failed py:succeeded

  complete  no_customer   → complete
      sub.canceled pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled in:paid in:paid py:failed py:succeeded py:succeeded
  complete,expired,orphaned  visa,declined,broke,after_attach,slow,typo,stranger,sca → same ! card_session_unexpected_state
  complete,expired,orphaned  approve,reject,api_visa,api_sca,api_sca_broke,api_reject → same ! card_session_unexpected_state
  complete,expired,orphaned  api_no_card,expire → same ! card_session_unexpected_state
  complete,expired,orphaned  time,retrieve → same

  expired   no_customer   → expired time
      sub.canceled in.updated pm.detached cus.deleted
      leaves pm:detached sub:canceled in:open in:paid py:failed py:succeeded

  orphaned  no_customer   → same ! resource_missing
`

/** Returns an open card session of a customer whose renewal was declined. */
async function ofPastDueCustomer(sandbox: Sandbox): Promise<SessionSubject> {
  const { id: customer } = await newCustomer(sandbox)
  const subscription = await subscribe(sandbox, { customer, card: 'renewal_no_funds' })
  await toNextPeriod(sandbox, subscription.id)
  return newCardSession(sandbox, { customer })
}

const { complete } = api.cardSessions
const triggers = sessionTriggers(api.cardSessions)
const waiting = after(ofPastDueCustomer, triggers.sca)

testLifecycle<SessionSubject>(test, {
  table: TABLE,
  states: {
    open: ofPastDueCustomer,
    waiting,
    complete: after(waiting, triggers.approve),
    expired: after(ofPastDueCustomer, triggers.time),
    orphaned: after(waiting, triggers.no_customer),
  },
  triggers: {
    ...triggers,
    broke: enters('broke'),
    after_attach: enters('after_attach'),
    slow: enters('slow'),
    api_sca: (sandbox, { id }) => sandbox.call(complete, { id, test_card: 'sca_always' }),
    api_sca_broke: (sandbox, { id }) => sandbox.call(complete, { id, test_card: 'sca_no_funds' }),
    api_no_card: (sandbox, { id }) => sandbox.call(complete, { id }),
  },
  stateOf: async (sandbox, { id }) => {
    const { status, expiration_reason } = await sandbox.call(api.cardSessions.retrieve, { id })
    return [status, expiration_reason ?? ''].join(' ').trim()
  },
})

test.run()
