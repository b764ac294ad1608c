import { api } from '../../src/api/api.ts'
import { invoicesOf, type Order, subscribe, toNextPeriod } from '../support/billing.ts'
import { testLifecycle } from '../support/lifecycle.ts'
import { DAY, type Sandbox } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/kept-drafts')

/** Actions on the draft of a subscription that is paused with `keep_as_draft`, `unpaid` or canceled. */
const TABLE = `
  paused,resumed  collect,collect_wait → paid sub:active
      in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  paused,resumed,declined,challenged  finalize,hold → open sub:active
      in.finalized
      leaves pm sub:active in:open in:paid py:succeeded
  paused,resumed,declined,challenged  void         → void sub:active
      in.voided
      leaves pm sub:active in:paid in:void py:succeeded
  paused,resumed,declined,challenged,sent,free,unpaid,canceled  pay          → same ! invoice_unexpected_state
  paused,resumed,declined,challenged,sent,free,unpaid,canceled  wait         → same

  declined    collect      → open collected retried sub:past_due
      in.finalized py.created py.failed in.payment_failed sub.past_due
      leaves pm sub:past_due in:open in:paid py:failed py:succeeded
  declined    collect_wait → open collected retried sub:past_due
      in.finalized py.created py.failed in.payment_failed sub.past_due py.created py.failed in.payment_failed
      leaves pm sub:past_due in:open in:paid py:failed py:failed py:succeeded

  challenged  collect      → open collected retried sub:past_due
      in.finalized py.created py.failed in.payment_action_required sub.past_due
      leaves pm sub:past_due in:open in:paid py:failed py:succeeded
  challenged  collect_wait → open collected retried sub:past_due
      in.finalized py.created py.failed in.payment_action_required sub.past_due in.updated
      leaves pm sub:past_due in:open in:paid py:failed py:succeeded

  sent        finalize,hold → open sub:active
      in.finalized in.sent
      leaves sub:active in:open in:open timer timer
  sent        collect,collect_wait → open collected sub:active
      in.finalized in.sent
      leaves sub:active in:open in:open timer timer
  sent        void         → void sub:active
      in.voided
      leaves sub:active in:open in:void timer

  free        finalize,hold,collect,collect_wait → paid sub:active
      in.finalized in.paid
      leaves pm sub:active in:paid in:paid
  free        void         → void sub:active
      in.voided
      leaves pm sub:active in:paid in:void

  unpaid      finalize,hold → open sub:unpaid
      in.finalized
      leaves pm sub:unpaid in:open in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  unpaid      collect      → open collected retried sub:unpaid
      in.finalized py.created py.failed in.payment_failed
      leaves pm sub:unpaid in:open in:open in:paid py:failed py:failed py:failed py:failed py:failed py:succeeded
  unpaid      collect_wait → open collected retried sub:unpaid
      in.finalized py.created py.failed in.payment_failed py.created py.failed in.payment_failed
      leaves pm sub:unpaid in:open in:open in:paid py:failed py:failed py:failed py:failed py:failed py:failed py:succeeded
  unpaid      void         → void sub:unpaid
      in.voided
      leaves pm sub:unpaid in:open in:paid in:void py:failed py:failed py:failed py:failed py:succeeded

  canceled    finalize,hold → open sub:canceled
      in.finalized
      leaves pm sub:canceled in:open in:paid py:succeeded
  canceled    collect,collect_wait → same ! subscription_unexpected_state
  canceled    void         → void sub:canceled
      in.voided
      leaves pm sub:canceled in:paid in:void py:succeeded
`

interface Subject {
  readonly subscription: string
  /** The id of the draft. */
  readonly id: string
}

const keep = { behavior: 'keep_as_draft' } as const

/** Returns a function that creates a subscription whose newest invoice is a draft that a pause kept. */
const kept =
  (order: Order = {}, then: (sandbox: Sandbox, id: string) => Promise<unknown> = async () => {}) =>
  async (sandbox: Sandbox): Promise<Subject> => {
    const { id } = await subscribe(sandbox, order)
    await sandbox.call(api.subscriptions.update, { id, pause_collection: keep })
    await toNextPeriod(sandbox, id)
    await then(sandbox, id)
    return newestInvoice(sandbox, id)
  }

async function newestInvoice(sandbox: Sandbox, subscription: string): Promise<Subject> {
  const newest = (await invoicesOf(sandbox, subscription)).at(-1)
  return { subscription, id: newest?.id ?? '' }
}

async function unpaidDraft(sandbox: Sandbox): Promise<Subject> {
  const { id } = await subscribe(sandbox, { card: 'renewal_no_funds' })
  await toNextPeriod(sandbox, id)
  await sandbox.advance(15 * DAY)
  await toNextPeriod(sandbox, id)
  return newestInvoice(sandbox, id)
}

testLifecycle<Subject>(test, {
  table: TABLE,
  dunning: { retry_days: [3, 5, 7], on_exhausted: 'unpaid' },
  states: {
    paused: kept(),
    resumed: kept({}, (sandbox, id) =>
      sandbox.call(api.subscriptions.update, { id, pause_collection: null }),
    ),
    declined: kept({ card: 'renewal_no_funds' }),
    challenged: kept({ card: 'renewal_sca' }),
    sent: kept({ collection_method: 'send_invoice', days_until_due: 365 }),
    free: kept({ items: [{ description: 'Trial', price_data: { amount: 0 } }] }),
    unpaid: unpaidDraft,
    canceled: kept({}, (sandbox, id) => sandbox.call(api.subscriptions.cancel, { id })),
  },
  triggers: {
    finalize: (sandbox, { id }) => sandbox.call(api.invoices.finalize, { id }),
    hold: (sandbox, { id }) => sandbox.call(api.invoices.finalize, { id, auto_advance: false }),
    collect: (sandbox, { id }) => sandbox.call(api.invoices.finalize, { id, auto_advance: true }),
    collect_wait: async (sandbox, { id }) => {
      await sandbox.call(api.invoices.finalize, { id, auto_advance: true })
      await sandbox.advance(3 * DAY)
    },
    void: (sandbox, { id }) => sandbox.call(api.invoices.void, { id }),
    pay: (sandbox, { id }) => sandbox.call(api.invoices.pay, { id }),
    wait: (sandbox) => sandbox.advance(20 * DAY),
  },
  stateOf: async (sandbox, { subscription, id }) => {
    const {
      status,
      auto_advance,
      next_payment_attempt: next,
    } = await sandbox.call(api.invoices.retrieve, { id })
    const owner = await sandbox.call(api.subscriptions.retrieve, { id: subscription })
    const words = [
      status,
      auto_advance ? 'collected' : '',
      next === null ? '' : 'retried',
      `sub:${owner.status}`,
    ]
    return words.filter((word) => word !== '').join(' ')
  },
})

test.run()
