import { api } from '../../src/api/api.ts'
import { after, testLifecycle } from '../support/lifecycle.ts'
import { newCustomer } from '../support/samples.ts'
import type { Sandbox } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'
import { endTriggers, type SessionSubject } from './session-triggers.ts'

const test = suite('scenarios/portal-session-lifecycle')

/** Portal sessions. Abbreviations are id prefixes: pt_sess session, cus customer. */
const TABLE = `
  open      expire        → expired api
      pt_sess.expired
      leaves nothing
  open      time          → expired time
      pt_sess.expired
      leaves nothing
  open      no_customer   → expired customer_deleted
      pt_sess.expired cus.deleted
      leaves nothing
  open,expired,orphaned  retrieve → same
  expired   no_customer   → expired time
      cus.deleted
      leaves nothing
  expired,orphaned  expire → same ! portal_session_unexpected_state
  expired,orphaned  time   → same
  orphaned  no_customer   → same ! resource_missing
`

async function open(sandbox: Sandbox): Promise<SessionSubject> {
  const { id: customer } = await newCustomer(sandbox)
  return sandbox.call(api.portalSessions.create, { customer })
}

const { expire, time, no_customer, retrieve } = endTriggers(api.portalSessions)

testLifecycle<SessionSubject>(test, {
  table: TABLE,
  states: { open, expired: after(open, time), orphaned: after(open, no_customer) },
  triggers: { expire, time, no_customer, retrieve },
  stateOf: async (sandbox, { id }) => {
    const { status, expiration_reason } = await sandbox.call(api.portalSessions.retrieve, { id })
    return [status, expiration_reason ?? ''].join(' ').trim()
  },
})

test.run()
