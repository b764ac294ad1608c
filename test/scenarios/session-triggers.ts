import { api } from '../../src/api/api.ts'
import { CARDS } from '../support/samples.ts'
import { type Sandbox, typed } from '../support/sandbox.ts'

/** A session with its customer and its expiry. */
export interface SessionSubject {
  readonly id: string
  readonly customer: string
  readonly expires_at: number
}

/** Returns a trigger that submits a card on the page of a session. */
export const enters =
  (card: keyof typeof CARDS) =>
  (sandbox: Sandbox, { id }: SessionSubject) =>
    sandbox.submit(id, typed(CARDS[card]))

/** Returns the triggers that end and read a session of any type, by name. */
export const endTriggers = ({
  expire,
  retrieve,
}: Pick<
  | typeof api.cardSessions
  | typeof api.checkoutSessions
  | typeof api.paymentSessions
  | typeof api.portalSessions,
  'expire' | 'retrieve'
>) => ({
  expire: (sandbox: Sandbox, { id }: SessionSubject) => sandbox.call(expire, { id }),
  time: (sandbox: Sandbox, { expires_at }: SessionSubject) => sandbox.moveTo(expires_at),
  no_customer: (sandbox: Sandbox, { customer }: SessionSubject) =>
    sandbox.call(api.customers.delete, { id: customer }),
  retrieve: (sandbox: Sandbox, { id }: SessionSubject) => sandbox.call(retrieve, { id }),
})

/** Returns the triggers of a session that the customer completes, by name; `api_…` completes it in the API. */
export const sessionTriggers = ({
  complete,
  ...others
}: typeof api.cardSessions | typeof api.checkoutSessions | typeof api.paymentSessions) => ({
  visa: enters('visa'),
  declined: enters('declined'),
  typo: enters('typo'),
  stranger: enters('stranger'),
  sca: enters('sca'),
  approve: (sandbox: Sandbox, { id }: SessionSubject) => sandbox.answer(id, true),
  reject: (sandbox: Sandbox, { id }: SessionSubject) => sandbox.answer(id, false),
  api_visa: (sandbox: Sandbox, { id }: SessionSubject) => sandbox.call(complete, { id, test_card: 'visa' }),
  api_reject: (sandbox: Sandbox, { id }: SessionSubject) =>
    sandbox.call(complete, { id, test_card: 'sca_setup', three_d_secure: 'reject' }),
  ...endTriggers(others),
})
