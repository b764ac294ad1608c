import { api } from '../../src/api/api.ts'
import { isDeleted } from '../../src/domain/core/changes.ts'
import { invoiceIn, subscribe, toNextPeriod } from '../support/billing.ts'
import { testLifecycle } from '../support/lifecycle.ts'
import { CARDS, newCheckout } from '../support/samples.ts'
import { DAY, type Sandbox, typed } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/credit-balance-lifecycle')

interface Subject {
  readonly customer: string
  readonly subscription: string
}

/**
 * A customer whose monthly invoices are 1200.00 EUR, with a credit of 0, 500.00, 1200.00 or 2000.00 EUR. `changed`
 * authenticates a checkout session with 3-D Secure after another session has used the credit. `returned` voids a sent
 * invoice that used the credit, and `void_after_deletion` does so after the customer was deleted. The next state is the balance.
 */
const TABLE = `
  none   renew       → 0
      sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  none   subscribe,dollars → 0
      cks.created pm.attached sub.created in.created in.finalized py.created py.succeeded in.paid cks.completed
      leaves pm pm sub:active sub:active in:paid in:paid py:succeeded py:succeeded
  none   approve     → 0
      cks.created py.created py.requires_action pm.attached sub.created in.created in.finalized py.succeeded in.paid cks.completed
      leaves pm pm sub:active sub:active in:paid in:paid py:succeeded py:succeeded
  none   changed     → 0
      cks.created py.created py.requires_action cks.created pm.attached sub.created in.created in.finalized py.created py.succeeded in.paid cks.completed pm.attached sub.created in.created in.finalized py.succeeded in.paid cks.completed
      leaves pm pm pm sub:active sub:active sub:active in:paid in:paid in:paid py:succeeded py:succeeded py:succeeded
  none   later       → 0
      cks.created pm.attached sub.created cks.completed
      leaves pm pm sub:active sub:pending in:paid py:succeeded
  none   send        → 0
      cks.created sub.created in.created in.finalized in.sent cks.completed
      leaves pm sub:active sub:active in:open in:paid py:succeeded timer
  none   returned    → 0
      cks.created sub.created in.created in.finalized in.sent cks.completed in.voided
      leaves pm sub:active sub:active in:paid in:void py:succeeded timer
  none   written_off → 0
      cks.created sub.created in.created in.finalized in.sent cks.completed in.marked_uncollectible
      leaves pm sub:active sub:active in:paid in:uncollectible py:succeeded timer
  none   void_after_deletion → deleted
      cks.created sub.created in.created in.finalized in.sent cks.completed sub.canceled sub.canceled in.updated pm.detached cus.deleted in.voided
      leaves pm:detached sub:canceled sub:canceled in:paid in:void py:succeeded timer
  none   delete_customer → deleted
      sub.canceled pm.detached cus.deleted
      leaves pm:detached sub:canceled in:paid py:succeeded

  part   renew       → 0
      sub.renewed in.created cus.updated in.finalized py.created py.succeeded in.paid
      leaves pm pm sub:active sub:canceled in:paid in:paid in:paid in:paid py:succeeded py:succeeded
  part   subscribe   → 0
      cks.created pm.attached sub.created in.created cus.updated in.finalized py.created py.succeeded in.paid cks.completed
      leaves pm pm pm sub:active sub:active sub:canceled in:paid in:paid in:paid in:paid py:succeeded py:succeeded
  part   dollars     → -50000
      cks.created pm.attached sub.created in.created in.finalized py.created py.succeeded in.paid cks.completed
      leaves pm pm pm sub:active sub:active sub:canceled in:paid in:paid in:paid in:paid py:succeeded py:succeeded
  part   approve     → 0
      cks.created py.created py.requires_action pm.attached sub.created in.created cus.updated in.finalized py.succeeded in.paid cks.completed
      leaves pm pm pm sub:active sub:active sub:canceled in:paid in:paid in:paid in:paid py:succeeded py:succeeded
  part   changed     → 0
      cks.created py.created py.requires_action cks.created pm.attached sub.created in.created cus.updated in.finalized py.created py.succeeded in.paid cks.completed pm.attached sub.created in.created in.finalized py.canceled py.created py.succeeded in.paid cks.completed
      leaves pm pm pm pm sub:active sub:active sub:active sub:canceled in:paid in:paid in:paid in:paid in:paid py:canceled py:succeeded py:succeeded py:succeeded
  part   later       → -50000
      cks.created pm.attached sub.created cks.completed
      leaves pm pm pm sub:active sub:canceled sub:pending in:paid in:paid in:paid py:succeeded
  part   send        → 0
      cks.created sub.created in.created cus.updated in.finalized in.sent cks.completed
      leaves pm pm sub:active sub:active sub:canceled in:open in:paid in:paid in:paid py:succeeded timer
  part   returned    → -50000
      cks.created sub.created in.created cus.updated in.finalized in.sent cks.completed in.voided cus.updated
      leaves pm pm sub:active sub:active sub:canceled in:paid in:paid in:paid in:void py:succeeded timer
  part   written_off → 0
      cks.created sub.created in.created cus.updated in.finalized in.sent cks.completed in.marked_uncollectible
      leaves pm pm sub:active sub:active sub:canceled in:paid in:paid in:paid in:uncollectible py:succeeded timer
  part   void_after_deletion → deleted
      cks.created sub.created in.created cus.updated in.finalized in.sent cks.completed sub.canceled sub.canceled in.updated pm.detached pm.detached cus.deleted in.voided
      leaves pm:detached pm:detached sub:canceled sub:canceled sub:canceled in:paid in:paid in:paid in:void py:succeeded timer
  part,whole,more  delete_customer → deleted
      sub.canceled pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled sub:canceled in:paid in:paid in:paid py:succeeded

  whole  renew       → 0
      sub.renewed in.created cus.updated in.finalized in.paid
      leaves pm pm sub:active sub:canceled in:paid in:paid in:paid in:paid py:succeeded
  whole  subscribe,approve → 0
      cks.created pm.attached sub.created in.created cus.updated in.finalized in.paid cks.completed
      leaves pm pm pm sub:active sub:active sub:canceled in:paid in:paid in:paid in:paid py:succeeded
  whole  dollars     → -120000
      cks.created pm.attached sub.created in.created in.finalized py.created py.succeeded in.paid cks.completed
      leaves pm pm pm sub:active sub:active sub:canceled in:paid in:paid in:paid in:paid py:succeeded py:succeeded
  whole  changed     → 0
      cks.created cks.created pm.attached sub.created in.created cus.updated in.finalized in.paid cks.completed pm.attached sub.created in.created in.finalized py.created py.succeeded in.paid cks.completed
      leaves pm pm pm pm sub:active sub:active sub:active sub:canceled in:paid in:paid in:paid in:paid in:paid py:succeeded py:succeeded
  whole  later       → -120000
      cks.created pm.attached sub.created cks.completed
      leaves pm pm pm sub:active sub:canceled sub:pending in:paid in:paid in:paid py:succeeded
  whole  send        → 0
      cks.created sub.created in.created cus.updated in.finalized in.paid cks.completed
      leaves pm pm sub:active sub:active sub:canceled in:paid in:paid in:paid in:paid py:succeeded
  whole  returned,written_off → 0 ! invoice_unexpected_state
      cks.created sub.created in.created cus.updated in.finalized in.paid cks.completed
      leaves pm pm sub:active sub:active sub:canceled in:paid in:paid in:paid in:paid py:succeeded
  whole,more  void_after_deletion → deleted ! invoice_unexpected_state
      cks.created sub.created in.created cus.updated in.finalized in.paid cks.completed sub.canceled sub.canceled pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled sub:canceled sub:canceled in:paid in:paid in:paid in:paid py:succeeded

  more   renew       → -80000
      sub.renewed in.created cus.updated in.finalized in.paid
      leaves pm pm sub:active sub:canceled in:paid in:paid in:paid in:paid py:succeeded
  more   subscribe,approve → -80000
      cks.created pm.attached sub.created in.created cus.updated in.finalized in.paid cks.completed
      leaves pm pm pm sub:active sub:active sub:canceled in:paid in:paid in:paid in:paid py:succeeded
  more   dollars     → -200000
      cks.created pm.attached sub.created in.created in.finalized py.created py.succeeded in.paid cks.completed
      leaves pm pm pm sub:active sub:active sub:canceled in:paid in:paid in:paid in:paid py:succeeded py:succeeded
  more   changed     → 0
      cks.created cks.created pm.attached sub.created in.created cus.updated in.finalized in.paid cks.completed pm.attached sub.created in.created cus.updated in.finalized py.created py.succeeded in.paid cks.completed
      leaves pm pm pm pm sub:active sub:active sub:active sub:canceled in:paid in:paid in:paid in:paid in:paid py:succeeded py:succeeded
  more   later       → -200000
      cks.created pm.attached sub.created cks.completed
      leaves pm pm pm sub:active sub:canceled sub:pending in:paid in:paid in:paid py:succeeded
  more   send        → -80000
      cks.created sub.created in.created cus.updated in.finalized in.paid cks.completed
      leaves pm pm sub:active sub:active sub:canceled in:paid in:paid in:paid in:paid py:succeeded
  more   returned,written_off → -80000 ! invoice_unexpected_state
      cks.created sub.created in.created cus.updated in.finalized in.paid cks.completed
      leaves pm pm sub:active sub:active sub:canceled in:paid in:paid in:paid in:paid py:succeeded
`

/** Gives a customer credit by an invoice item that makes the invoice of a free subscription negative. */
async function grantCredit(sandbox: Sandbox, customer: string, amount: number): Promise<void> {
  if (amount === 0) return
  const items = [{ description: 'Free', price_data: { amount: 0 } }]
  const { id } = await subscribe(sandbox, { customer, interval: 'day', items })
  const credit = { description: 'Goodwill', unit_amount: -amount }
  await sandbox.call(api.invoiceItems.create, { subscription: id, ...credit })
  await toNextPeriod(sandbox, id)
  await sandbox.call(api.subscriptions.cancel, { id })
}

function withCredit(amount: number): (sandbox: Sandbox) => Promise<Subject> {
  return async (sandbox) => {
    const { id, customer } = await subscribe(sandbox)
    await grantCredit(sandbox, customer, amount)
    return { customer, subscription: id }
  }
}

testLifecycle<Subject>(test, {
  table: TABLE,
  states: {
    none: withCredit(0),
    part: withCredit(50_000),
    whole: withCredit(120_000),
    more: withCredit(200_000),
  },
  triggers: {
    renew: (sandbox, { subscription }) => toNextPeriod(sandbox, subscription),
    subscribe: (sandbox, { customer }) => subscribe(sandbox, { customer }),
    dollars: (sandbox, { customer }) => subscribe(sandbox, { customer, currency: 'usd' }),
    approve: async (sandbox, { customer }) => {
      const { id } = await newCheckout(sandbox, {}, { customer })
      await sandbox.submit(id, typed(CARDS.sca))
      await sandbox.answer(id, true)
    },
    changed: async (sandbox, { customer }) => {
      const { id } = await newCheckout(sandbox, {}, { customer })
      await sandbox.submit(id, typed(CARDS.sca))
      await subscribe(sandbox, { customer })
      await sandbox.answer(id, true)
    },
    later: (sandbox, { customer }) => subscribe(sandbox, { customer, start_date: sandbox.now() + 40 * DAY }),
    send: (sandbox, { customer }) => subscribe(sandbox, { customer, collection_method: 'send_invoice' }),
    returned: async (sandbox, { customer }) => {
      const { id } = await subscribe(sandbox, { customer, collection_method: 'send_invoice' })
      const invoice = await invoiceIn(sandbox, id, ['open', 'paid'])
      await sandbox.call(api.invoices.void, { id: invoice.id })
    },
    written_off: async (sandbox, { customer }) => {
      const { id } = await subscribe(sandbox, { customer, collection_method: 'send_invoice' })
      const invoice = await invoiceIn(sandbox, id, ['open', 'paid'])
      await sandbox.call(api.invoices.markUncollectible, { id: invoice.id })
    },
    void_after_deletion: async (sandbox, { customer }) => {
      const { id } = await subscribe(sandbox, { customer, collection_method: 'send_invoice' })
      const invoice = await invoiceIn(sandbox, id, ['open', 'paid'])
      await sandbox.call(api.customers.delete, { id: customer })
      await sandbox.call(api.invoices.void, { id: invoice.id })
    },
    delete_customer: (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer }),
  },
  stateOf: async (sandbox, { customer }) => {
    const found = await sandbox.call(api.customers.retrieve, { id: customer })
    if (isDeleted(found)) return 'deleted'
    return String(found.balances['eur'] ?? 0)
  },
})

test.run()
