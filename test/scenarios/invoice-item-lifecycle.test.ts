import { api } from '../../src/api/api.ts'
import { isDeleted } from '../../src/domain/core/changes.ts'
import { subscribe, toNextPeriod } from '../support/billing.ts'
import { after, type Lifecycle, testLifecycle } from '../support/lifecycle.ts'
import { DAY, type Sandbox, START } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/invoice-item-lifecycle')

interface Subject {
  readonly id: string
  readonly subscription: string
  readonly customer: string
}

/**
 * Invoice items: pending on an active, a past due and a pending subscription, deleted with the end of a subscription, on an
 * invoice, and deleted. `more` adds another item to the subscription, and `void` voids its newest unpaid invoice.
 */
const TABLE = `
  waiting   renew  → billed
      sub.renewed in.created ii.updated in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  waiting   delete → deleted
      ii.deleted
      leaves pm sub:active in:paid py:succeeded
  waiting   more   → pending
      ii.created
      leaves pm sub:active in:paid py:succeeded
  waiting   cancel → deleted
      sub.canceled ii.deleted
      leaves pm sub:canceled in:paid py:succeeded
  waiting   delete_customer → deleted
      sub.canceled ii.deleted pm.detached cus.deleted
      leaves pm:detached sub:canceled in:paid py:succeeded
  waiting,upcoming,taken,deleted  void   → same

  behind    renew  → billed
      sub.renewed in.created ii.updated in.finalized py.created py.failed in.payment_failed
      leaves pm sub:past_due in:open in:open in:paid py:failed py:failed py:succeeded
  behind    delete → deleted
      ii.deleted
      leaves pm sub:past_due in:open in:paid py:failed py:succeeded
  behind    more   → pending
      ii.created
      leaves pm sub:past_due in:open in:paid py:failed py:succeeded
  behind    cancel → deleted
      sub.canceled ii.deleted in.updated
      leaves pm sub:canceled in:open in:paid py:failed py:succeeded
  behind    delete_customer → deleted
      sub.canceled ii.deleted in.updated pm.detached cus.deleted
      leaves pm:detached sub:canceled in:open in:paid py:failed py:succeeded
  behind    void   → pending
      in.voided sub.recovered
      leaves pm sub:active in:paid in:void py:failed py:succeeded

  upcoming  renew  → billed
      sub.started in.created ii.updated in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid py:succeeded
  upcoming  delete → deleted
      ii.deleted
      leaves pm sub:pending
  upcoming  more   → pending
      ii.created
      leaves pm sub:pending
  upcoming  cancel → deleted
      sub.canceled ii.deleted
      leaves pm sub:canceled
  upcoming  delete_customer → deleted
      sub.canceled ii.deleted pm.detached cus.deleted
      leaves pm:detached sub:canceled

  ended     renew,void → same
  ended     more,cancel → same ! subscription_unexpected_state
  ended     delete_customer → deleted
      pm.detached cus.deleted
      leaves pm:detached sub:canceled in:paid py:succeeded
  ended,deleted  delete → same ! resource_missing

  taken     renew  → billed
      sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid in:paid py:succeeded py:succeeded py:succeeded
  taken     delete → same ! invoice_item_unexpected_state
  taken     more   → billed
      ii.created
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  taken     cancel → billed
      sub.canceled
      leaves pm sub:canceled in:paid in:paid py:succeeded py:succeeded
  taken     delete_customer → billed
      sub.canceled pm.detached cus.deleted
      leaves pm:detached sub:canceled in:paid in:paid py:succeeded py:succeeded

  deleted   renew  → deleted
      sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  deleted   more   → deleted
      ii.created
      leaves pm sub:active in:paid py:succeeded
  deleted   cancel → deleted
      sub.canceled
      leaves pm sub:canceled in:paid py:succeeded
  deleted   delete_customer → deleted
      sub.canceled pm.detached cus.deleted
      leaves pm:detached sub:canceled in:paid py:succeeded
`

/** An invoice item on a draft of an unpaid subscription. */
const UNPAID_TABLE = `
  drafted  renew  → billed
      sub.renewed in.created
      leaves pm sub:unpaid in:draft in:draft in:open in:paid py:failed py:succeeded
  drafted  delete → same ! invoice_item_unexpected_state
  drafted  more   → billed
      ii.created
      leaves pm sub:unpaid in:draft in:open in:paid py:failed py:succeeded
  drafted  cancel → billed
      sub.canceled in.updated
      leaves pm sub:canceled in:draft in:open in:paid py:failed py:succeeded
  drafted  delete_customer → billed
      sub.canceled in.updated pm.detached cus.deleted
      leaves pm:detached sub:canceled in:draft in:open in:paid py:failed py:succeeded
  drafted  void   → billed
      in.voided
      leaves pm sub:unpaid in:open in:paid in:void py:failed py:succeeded
`

function add(sandbox: Sandbox, subscription: string) {
  const fee = { description: 'Key', unit_amount: 2500, tax_percent: 20 }
  return sandbox.call(api.invoiceItems.create, { subscription, ...fee })
}

async function withItem(sandbox: Sandbox, order: Parameters<typeof subscribe>[1], isBehind = false) {
  const { id, customer } = await subscribe(sandbox, order)
  if (isBehind) await toNextPeriod(sandbox, id)
  return { id: (await add(sandbox, id)).id, subscription: id, customer }
}

async function newestUnpaid(sandbox: Sandbox, subscription: string): Promise<string | undefined> {
  const { data } = await sandbox.call(api.invoices.list, { subscription })
  return data.find(({ status }) => status === 'draft' || status === 'open')?.id
}

const common = {
  triggers: {
    renew: (sandbox, { subscription }) => toNextPeriod(sandbox, subscription),
    delete: (sandbox, { id }) => sandbox.call(api.invoiceItems.delete, { id }),
    more: (sandbox, { subscription }) => add(sandbox, subscription),
    cancel: (sandbox, { subscription }) => sandbox.call(api.subscriptions.cancel, { id: subscription }),
    delete_customer: (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer }),
    void: async (sandbox, { subscription }) => {
      const id = await newestUnpaid(sandbox, subscription)
      if (id !== undefined) await sandbox.call(api.invoices.void, { id })
    },
  },
  stateOf: async (sandbox, { id }) => {
    const item = await sandbox.call(api.invoiceItems.retrieve, { id })
    if (isDeleted(item)) return 'deleted'
    return item.invoice === null ? 'pending' : 'billed'
  },
} as const satisfies Pick<Lifecycle<Subject>, 'triggers' | 'stateOf'>

const waiting = (sandbox: Sandbox) => withItem(sandbox, {})
const behind = (sandbox: Sandbox) => withItem(sandbox, { card: 'renewal_no_funds' }, true)

testLifecycle<Subject>(test, {
  ...common,
  dunning: { retry_days: [40], on_exhausted: 'unpaid' },
  table: TABLE,
  states: {
    waiting,
    behind,
    upcoming: (sandbox) => withItem(sandbox, { start_date: START + DAY }),
    ended: after(waiting, common.triggers.cancel),
    taken: after(waiting, common.triggers.renew),
    deleted: after(waiting, common.triggers.delete),
  },
})

testLifecycle<Subject>(test, {
  ...common,
  name: 'unpaid',
  dunning: { retry_days: [], on_exhausted: 'unpaid' },
  table: UNPAID_TABLE,
  states: {
    drafted: after(behind, common.triggers.renew),
  },
})

test.run()
