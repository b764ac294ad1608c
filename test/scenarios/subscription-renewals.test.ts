import { api } from '../../src/api/api.ts'
import { type Order, saveCard, subscribe, toNextPeriod } from '../support/billing.ts'
import { testLifecycle } from '../support/lifecycle.ts'
import { DAY, type Sandbox, START } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/subscription-renewals')

interface Subject {
  readonly id: string
  readonly customer: string
}

/**
 * The next period of a weekly subscription with a newly saved card that
 * is valid, has no funds, is lost, requires authentication or has expired. `none` detaches every card. The only retry
 * is after ten days; then the subscription is unpaid.
 */
const TABLE = `
  pending   works     → active @0
      pm.attached sub.updated sub.started in.created in.finalized py.created py.succeeded in.paid
      leaves pm pm sub:active in:paid py:succeeded
  pending   no_funds,lost,expired → past_due @0
      pm.attached sub.updated sub.started in.created in.finalized py.created py.failed in.payment_failed sub.past_due
      leaves pm pm sub:past_due in:open py:failed
  pending   needs_3ds → past_due @0
      pm.attached sub.updated sub.started in.created in.finalized py.created py.failed in.payment_action_required sub.past_due
      leaves pm pm sub:past_due in:open py:failed
  pending   none      → past_due @0
      pm.detached cus.updated sub.updated sub.started in.created in.finalized in.payment_failed sub.past_due
      leaves pm:detached sub:past_due in:open

  active    works     → active @1
      pm.attached sub.updated sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm pm sub:active in:paid in:paid py:succeeded py:succeeded
  active    no_funds,lost,expired → past_due @1
      pm.attached sub.updated sub.renewed in.created in.finalized py.created py.failed in.payment_failed sub.past_due
      leaves pm pm sub:past_due in:open in:paid py:failed py:succeeded
  active    needs_3ds → past_due @1
      pm.attached sub.updated sub.renewed in.created in.finalized py.created py.failed in.payment_action_required sub.past_due
      leaves pm pm sub:past_due in:open in:paid py:failed py:succeeded
  active    none      → past_due @1
      pm.detached cus.updated sub.updated sub.renewed in.created in.finalized in.payment_failed sub.past_due
      leaves pm:detached sub:past_due in:open in:paid py:succeeded

  ending    works,no_funds,lost,needs_3ds,expired → canceled @0
      pm.attached sub.updated sub.canceled
      leaves pm pm sub:canceled in:paid py:succeeded
  ending    none      → canceled @0
      pm.detached cus.updated sub.updated sub.canceled
      leaves pm:detached sub:canceled in:paid py:succeeded

  past_due  works     → past_due @1
      pm.attached sub.updated sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm pm sub:past_due in:open in:paid py:failed py:succeeded
  past_due  no_funds,lost,expired → past_due @1
      pm.attached sub.updated sub.renewed in.created in.finalized py.created py.failed in.payment_failed
      leaves pm pm sub:past_due in:open in:open py:failed py:failed
  past_due  needs_3ds → past_due @1
      pm.attached sub.updated sub.renewed in.created in.finalized py.created py.failed in.payment_action_required
      leaves pm pm sub:past_due in:open in:open py:failed py:failed
  past_due  none      → past_due @1
      pm.detached cus.updated sub.updated sub.renewed in.created in.finalized in.payment_failed
      leaves pm:detached sub:past_due in:open in:open py:failed

  unpaid    works,no_funds,lost,needs_3ds,expired → unpaid @2
      pm.attached sub.updated sub.renewed in.created
      leaves pm pm sub:unpaid in:draft in:open in:open py:failed py:failed py:failed
  unpaid    none      → unpaid @2
      pm.detached cus.updated sub.updated sub.renewed in.created
      leaves pm:detached sub:unpaid in:draft in:open in:open py:failed py:failed py:failed
`

const EXPIRED_BY_THEN = { exp_month: 1, exp_year: 2024 }

const subscribed =
  (order: Order, then: (sandbox: Sandbox, id: string) => Promise<unknown> = async () => {}) =>
  async (sandbox: Sandbox): Promise<Subject> => {
    // After two weeks the next period of each status starts in February.
    const start_date = START + 10 * DAY
    const { id, customer } = await subscribe(sandbox, { interval: 'week', start_date, ...order })
    await then(sandbox, id)
    return { id, customer }
  }

const renewing =
  (periods: number, days = 0) =>
  async (sandbox: Sandbox, id: string): Promise<void> => {
    for (let period = 0; period < periods; period += 1) await toNextPeriod(sandbox, id)
    await sandbox.advance(days * DAY)
  }

const withCard =
  (alias: string, expiry: { readonly exp_month?: number; readonly exp_year?: number } = {}) =>
  async (sandbox: Sandbox, { id, customer }: Subject): Promise<void> => {
    const { id: card } = await saveCard(sandbox, customer, { alias, ...expiry })
    await sandbox.call(api.subscriptions.update, { id, default_payment_method: card })
    await toNextPeriod(sandbox, id)
  }

testLifecycle<Subject>(test, {
  table: TABLE,
  dunning: { retry_days: [10], on_exhausted: 'unpaid' },
  states: {
    pending: subscribed({ start_date: START + 20 * DAY }),
    active: subscribed({}, renewing(1)),
    ending: subscribed({}, async (sandbox, id) => {
      await renewing(1)(sandbox, id)
      await sandbox.call(api.subscriptions.update, { id, cancel_at_period_end: true })
    }),
    past_due: subscribed({ card: 'decline_after_attach' }, renewing(1)),
    unpaid: subscribed({ card: 'decline_after_attach' }, renewing(2, 3)),
  },
  triggers: {
    works: withCard('mastercard'),
    no_funds: withCard('renewal_no_funds'),
    lost: withCard('renewal_lost'),
    needs_3ds: withCard('sca_always'),
    expired: withCard('visa', EXPIRED_BY_THEN),
    none: async (sandbox, { id, customer }) => {
      const { data } = await sandbox.call(api.paymentMethods.listOfCustomer, { id: customer })
      for (const card of data) await sandbox.call(api.paymentMethods.detach, { id: card.id })
      await toNextPeriod(sandbox, id)
    },
  },
  stateOf: async (sandbox, { id }) => {
    const { status, period_index } = await sandbox.call(api.subscriptions.retrieve, { id })
    return `${status} @${period_index}`
  },
})

test.run()
