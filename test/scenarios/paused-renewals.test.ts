import { api } from '../../src/api/api.ts'
import type { PauseCollection } from '../../src/domain/billing/pause-collection.ts'
import { type Order, subscribe, toNextPeriod } from '../support/billing.ts'
import { testLifecycle } from '../support/lifecycle.ts'
import { DAY, type Sandbox, START } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/paused-renewals')

type Behavior = PauseCollection['behavior']

/** The next period of a paused subscription of each kind. The third retry pays the open invoice of `owing_…`. */
const TABLE = `
  pending_draft        time → active @0 keep_as_draft
      sub.started in.created
      leaves pm sub:active in:draft

  sent_draft           time → past_due @1 keep_as_draft
      in.overdue sub.past_due sub.renewed in.created
      leaves sub:past_due in:draft in:open

  free_draft           time → active @1 keep_as_draft
      sub.renewed in.created
      leaves pm sub:active in:draft in:paid

  owing_draft          time → active @2 keep_as_draft
      py.created py.failed in.payment_failed py.created py.failed in.payment_failed py.created py.succeeded in.paid sub.recovered sub.renewed in.created
      leaves pm sub:active in:draft in:paid in:paid py:failed py:failed py:failed py:succeeded py:succeeded

  unpaid_draft         time → unpaid @2 keep_as_draft
      sub.renewed in.created
      leaves pm sub:unpaid in:draft in:open in:paid py:failed py:failed py:failed py:failed py:succeeded

  pending_written_off  time → active @0 mark_uncollectible
      sub.started in.created in.finalized in.marked_uncollectible
      leaves pm sub:active in:uncollectible

  sent_written_off     time → past_due @1 mark_uncollectible
      in.overdue sub.past_due sub.renewed in.created in.finalized in.marked_uncollectible
      leaves sub:past_due in:open in:uncollectible

  free_written_off     time → active @1 mark_uncollectible
      sub.renewed in.created in.finalized in.paid
      leaves pm sub:active in:paid in:paid

  owing_written_off    time → active @2 mark_uncollectible
      py.created py.failed in.payment_failed py.created py.failed in.payment_failed py.created py.succeeded in.paid sub.recovered sub.renewed in.created in.finalized in.marked_uncollectible
      leaves pm sub:active in:paid in:paid in:uncollectible py:failed py:failed py:failed py:succeeded py:succeeded

  unpaid_written_off   time → unpaid @2 mark_uncollectible
      sub.renewed in.created in.finalized in.marked_uncollectible
      leaves pm sub:unpaid in:open in:paid in:uncollectible py:failed py:failed py:failed py:failed py:succeeded

  pending_void         time → active @0 void
      sub.started in.created in.voided
      leaves pm sub:active in:void

  sent_void            time → past_due @1 void
      in.overdue sub.past_due sub.renewed in.created in.voided
      leaves sub:past_due in:open in:void

  free_void            time → active @1 void
      sub.renewed in.created in.voided
      leaves pm sub:active in:paid in:void

  owing_void           time → active @2 void
      py.created py.failed in.payment_failed py.created py.failed in.payment_failed py.created py.succeeded in.paid sub.recovered sub.renewed in.created in.voided
      leaves pm sub:active in:paid in:paid in:void py:failed py:failed py:failed py:succeeded py:succeeded

  unpaid_void          time → unpaid @2 void
      sub.renewed in.created in.voided
      leaves pm sub:unpaid in:open in:paid in:void py:failed py:failed py:failed py:failed py:succeeded
`

/** Returns a function that creates a subscription whose collection is paused. */
const paused =
  (behavior: Behavior, order: Order = {}, before = async (_sandbox: Sandbox, _id: string) => {}) =>
  async (sandbox: Sandbox): Promise<string> => {
    const { id } = await subscribe(sandbox, order)
    await before(sandbox, id)
    await sandbox.call(api.subscriptions.update, { id, pause_collection: { behavior } })
    return id
  }

const kinds = (behavior: Behavior, name: string) => ({
  [`pending_${name}`]: paused(behavior, { start_date: START + 10 * DAY }),
  [`sent_${name}`]: paused(behavior, { collection_method: 'send_invoice' }),
  [`free_${name}`]: paused(behavior, { items: [{ description: 'Trial', price_data: { amount: 0 } }] }),
  [`owing_${name}`]: paused(behavior, { card: 'renewal_last_chance' }, toNextPeriod),
  [`unpaid_${name}`]: paused(behavior, { card: 'renewal_no_funds' }, async (sandbox, id) => {
    await toNextPeriod(sandbox, id)
    await sandbox.advance(15 * DAY)
  }),
})

testLifecycle(test, {
  table: TABLE,
  dunning: { retry_days: [3, 5, 7], on_exhausted: 'unpaid' },
  states: {
    ...kinds('keep_as_draft', 'draft'),
    ...kinds('mark_uncollectible', 'written_off'),
    ...kinds('void', 'void'),
  },
  triggers: { time: toNextPeriod },
  stateOf: async (sandbox, id) => {
    const { status, period_index, pause_collection } = await sandbox.call(api.subscriptions.retrieve, { id })
    return `${status} @${period_index} ${pause_collection?.behavior}`
  },
})

test.run()
