import { api } from '../../src/api/api.ts'
import { type Order, saveCard, subscribe, toNextPeriod } from '../support/billing.ts'
import { type Lifecycle, testLifecycle } from '../support/lifecycle.ts'
import { DAY, type Sandbox, START } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/subscription-lifecycle')

interface Subject {
  readonly id: string
  readonly customer: string
  /** The charged card. `spare` is another card of the customer, and not a default card. */
  readonly card: string
  readonly spare: string
}

/**
 * API actions on a subscription, and its next deadline: the start of a pending subscription, otherwise the end of the
 * period. Failed renewals are retried after 3, 5 and 7 days, so a past due subscription is unpaid at its next deadline.
 */
const TABLE = `
  pending   time        → active @0
      sub.started in.created in.finalized py.created py.succeeded in.paid
      leaves pm pm sub:active in:paid py:succeeded
  pending   cancel,delete → canceled @-1 requested
      sub.canceled
      leaves pm pm sub:canceled
  pending   end         → pending @-1 ending
      sub.updated
      leaves pm pm sub:pending
  pending   rename,card → pending @-1
      sub.updated
      leaves pm pm sub:pending
  pending   detach      → pending @-1
      pm.detached cus.updated sub.updated
      leaves pm:detached pm sub:pending
  pending   no_customer → canceled @-1 customer_deleted
      sub.canceled pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled
  pending,active,past_due,unpaid  keep,retrieve → same

  active    time        → active @1
      sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm pm sub:active in:paid in:paid py:succeeded py:succeeded
  active    cancel,delete → canceled @0 requested
      sub.canceled
      leaves pm pm sub:canceled in:paid py:succeeded
  active    end         → active @0 ending
      sub.updated
      leaves pm pm sub:active in:paid py:succeeded
  active    rename,card → active @0
      sub.updated
      leaves pm pm sub:active in:paid py:succeeded
  active    detach      → active @0
      pm.detached cus.updated sub.updated
      leaves pm:detached pm sub:active in:paid py:succeeded
  active,ending  no_customer → canceled @0 customer_deleted
      sub.canceled pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled in:paid py:succeeded

  ending    time,cancel,delete → canceled @0 requested
      sub.canceled
      leaves pm pm sub:canceled in:paid py:succeeded
  ending    end,retrieve → same
  ending    keep        → active @0
      sub.updated
      leaves pm pm sub:active in:paid py:succeeded
  ending    rename,card → active @0 ending
      sub.updated
      leaves pm pm sub:active in:paid py:succeeded
  ending    detach      → active @0 ending
      pm.detached cus.updated sub.updated
      leaves pm:detached pm sub:active in:paid py:succeeded

  past_due  time        → unpaid @2
      py.created py.failed in.payment_failed py.created py.failed in.payment_failed py.created py.failed in.payment_failed sub.unpaid sub.renewed in.created
      leaves pm pm sub:unpaid in:draft in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  past_due  cancel,delete → canceled @1 requested
      sub.canceled in.updated
      leaves pm pm sub:canceled in:open in:paid py:failed py:succeeded
  past_due  end         → past_due @1 ending
      sub.updated
      leaves pm pm sub:past_due in:open in:paid py:failed py:succeeded
  past_due  rename,card → past_due @1
      sub.updated
      leaves pm pm sub:past_due in:open in:paid py:failed py:succeeded
  past_due  detach      → past_due @1
      pm.detached cus.updated sub.updated
      leaves pm:detached pm sub:past_due in:open in:paid py:failed py:succeeded
  past_due  no_customer → canceled @1 customer_deleted
      sub.canceled in.updated pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled in:open in:paid py:failed py:succeeded

  unpaid    time        → unpaid @2
      sub.renewed in.created
      leaves pm pm sub:unpaid in:draft in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  unpaid    cancel,delete → canceled @1 requested
      sub.canceled in.updated
      leaves pm pm sub:canceled in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  unpaid    end         → unpaid @1 ending
      sub.updated
      leaves pm pm sub:unpaid in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  unpaid    rename,card → unpaid @1
      sub.updated
      leaves pm pm sub:unpaid in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  unpaid    detach      → unpaid @1
      pm.detached cus.updated sub.updated
      leaves pm:detached pm sub:unpaid in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  unpaid    no_customer → canceled @1 customer_deleted
      sub.canceled in.updated pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled in:open in:paid py:failed py:failed py:failed py:failed py:succeeded

  canceled  time,retrieve → same
  canceled  cancel,delete,end,keep,rename,card → same ! subscription_unexpected_state
  canceled  detach      → canceled @0 requested
      pm.detached cus.updated
      leaves pm:detached pm sub:canceled in:paid py:succeeded
  canceled  no_customer → canceled @0 requested
      pm.detached pm.detached cus.deleted
      leaves pm:detached pm:detached sub:canceled in:paid py:succeeded
`

const subscribed =
  (order: Order, then: (sandbox: Sandbox, id: string) => Promise<unknown> = async () => {}) =>
  async (sandbox: Sandbox): Promise<Subject> => {
    const { id, customer, default_payment_method } = await subscribe(sandbox, order)
    const { id: spare } = await saveCard(sandbox, customer, 'mastercard')
    await then(sandbox, id)
    return { id, customer, spare, card: default_payment_method ?? '' }
  }

async function toUnpaid(sandbox: Sandbox, id: string): Promise<void> {
  await toNextPeriod(sandbox, id)
  await sandbox.advance(15 * DAY)
}

const update =
  (fields: (subject: Subject) => object) =>
  (sandbox: Sandbox, subject: Subject): Promise<unknown> =>
    sandbox.call(api.subscriptions.update, { id: subject.id, ...fields(subject) })

const LIFECYCLE: Lifecycle<Subject> = {
  table: TABLE,
  dunning: { retry_days: [3, 5, 7], on_exhausted: 'unpaid' },
  states: {
    pending: subscribed({ start_date: START + 10 * DAY }),
    active: subscribed({}),
    ending: subscribed({}, (sandbox, id) =>
      sandbox.call(api.subscriptions.update, { id, cancel_at_period_end: true }),
    ),
    past_due: subscribed({ card: 'renewal_no_funds' }, toNextPeriod),
    unpaid: subscribed({ card: 'renewal_no_funds' }, toUnpaid),
    canceled: subscribed({}, (sandbox, id) => sandbox.call(api.subscriptions.cancel, { id })),
  },
  triggers: {
    time: (sandbox, { id }) => toNextPeriod(sandbox, id),
    cancel: (sandbox, { id }) => sandbox.call(api.subscriptions.cancel, { id }),
    delete: (sandbox, { id }) => sandbox.call(api.subscriptions.delete, { id }),
    end: update(() => ({ cancel_at_period_end: true })),
    keep: update(() => ({ cancel_at_period_end: false })),
    rename: update(() => ({ description: 'Rent of the attic' })),
    card: update(({ spare }) => ({ default_payment_method: spare })),
    detach: (sandbox, { card }) => sandbox.call(api.paymentMethods.detach, { id: card }),
    no_customer: (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer }),
    retrieve: (sandbox, { id }) => sandbox.call(api.subscriptions.retrieve, { id }),
  },
  stateOf: async (sandbox, { id }) => {
    const { status, cancel_at_period_end, cancellation_reason, period_index } = await sandbox.call(
      api.subscriptions.retrieve,
      { id },
    )
    const isEnding = cancel_at_period_end && status !== 'canceled'
    return [status, `@${period_index}`, isEnding ? 'ending' : '', cancellation_reason ?? '']
      .filter((word) => word !== '')
      .join(' ')
  },
}

testLifecycle(test, LIFECYCLE)

test.run()
