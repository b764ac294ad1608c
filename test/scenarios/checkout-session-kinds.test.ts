import { api } from '../../src/api/api.ts'
import type { CheckoutSession } from '../../src/domain/sessions/checkout-sessions.ts'
import { testLifecycle } from '../support/lifecycle.ts'
import { CARDS, newCheckout, RENT } from '../support/samples.ts'
import { DAY, type Sandbox, START, typed } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/checkout-session-kinds')

const FREE = [{ ...RENT, price_data: { amount: 0 } }]

/**
 * Events of each kind of session by card; abbreviations as in checkout-session-lifecycle. `no_card` calls the API
 * without a card. A session that requires no card ignores the entered card.
 */
const TABLE = `
  past        visa         → complete paid
      pm.attached cus.updated sub.created in.created in.finalized py.created py.succeeded in.paid cks.completed
      leaves pm sub:active in:paid py:succeeded
  past        declined,after_attach → open unpaid ! card_declined generic_decline
      py.created py.failed
      leaves py:failed
  past        sca_approve  → complete paid
      py.created py.requires_action pm.attached cus.updated sub.created in.created in.finalized py.succeeded in.paid cks.completed
      leaves pm sub:active in:paid py:succeeded
  past        sca_reject   → open unpaid ! authentication_failed
      py.created py.requires_action py.failed
      leaves py:failed
  past        sca_broke    → open unpaid ! card_declined insufficient_funds
      py.created py.requires_action py.failed
      leaves py:failed
  past,future,free  no_card      → same ! card_number_missing

  future      visa,after_attach,sca_approve → complete no_payment_required
      pm.attached cus.updated sub.created cks.completed
      leaves pm sub:pending
  future,free  declined     → same ! card_declined generic_decline
  future,free  sca_reject   → same ! authentication_failed
  future,free  sca_broke    → same ! card_declined insufficient_funds

  free        visa,after_attach,sca_approve → complete no_payment_required
      pm.attached cus.updated sub.created in.created in.finalized in.paid cks.completed
      leaves pm sub:active in:paid

  sent        visa,declined,after_attach,sca_approve,sca_reject,sca_broke,no_card → complete unpaid
      sub.created in.created in.finalized in.sent cks.completed
      leaves sub:active in:open timer

  sent_later  visa,declined,after_attach,sca_approve,sca_reject,sca_broke,no_card → complete no_payment_required
      sub.created cks.completed
      leaves sub:pending

  sent_free   visa,declined,after_attach,sca_approve,sca_reject,sca_broke,no_card → complete no_payment_required
      sub.created in.created in.finalized in.paid cks.completed
      leaves sub:active in:paid
`

const pays =
  (number: string, isApproved = true) =>
  async (sandbox: Sandbox, { id }: CheckoutSession) => {
    const { kind } = await sandbox.submit(id, typed(number))
    if (kind === 'authenticate') await sandbox.answer(id, isApproved)
  }

const BY_INVOICE = { collection_method: 'send_invoice' } as const

testLifecycle<CheckoutSession>(test, {
  table: TABLE,
  states: {
    past: (sandbox) => newCheckout(sandbox, { start_date: START - 40 * DAY }),
    future: (sandbox) => newCheckout(sandbox, { start_date: START + 1 }),
    free: (sandbox) => newCheckout(sandbox, { items: FREE }),
    sent: (sandbox) => newCheckout(sandbox, BY_INVOICE),
    sent_later: (sandbox) => newCheckout(sandbox, { ...BY_INVOICE, start_date: START + DAY }),
    sent_free: (sandbox) => newCheckout(sandbox, { ...BY_INVOICE, items: FREE }),
  },
  triggers: {
    visa: pays(CARDS.visa),
    declined: pays(CARDS.declined),
    after_attach: pays(CARDS.after_attach),
    sca_approve: pays(CARDS.sca),
    sca_reject: pays(CARDS.sca, false),
    sca_broke: pays(CARDS.sca_broke),
    no_card: (sandbox, { id }) => sandbox.call(api.checkoutSessions.complete, { id }),
  },
  stateOf: async (sandbox, { id }) => {
    const { status, payment_status } = await sandbox.call(api.checkoutSessions.retrieve, { id })
    return `${status} ${payment_status}`
  },
})

test.run()
