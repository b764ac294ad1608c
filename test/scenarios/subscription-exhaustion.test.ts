import { api } from '../../src/api/api.ts'
import type { ExhaustionPolicy } from '../../src/domain/core/dunning.ts'
import { toNextPeriod } from '../support/billing.ts'
import { after, testLifecycle } from '../support/lifecycle.ts'
import { DAY } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'
import { failing, type PastDue, pastDueTriggers } from './past-due-triggers.ts'

const test = suite('scenarios/subscription-exhaustion')

/**
 * The last retry of a renewal and the actions after it. `last` has failed three times and is retried in a week; `over`
 * has also failed in the last retry. `period` is the end of the period. These cells are the same for each policy.
 */
const EVERY_POLICY = `
  last  new_card  → active 4
      sub.updated py.created py.succeeded in.paid sub.recovered
      leaves pm pm sub:active in:paid in:paid py:failed py:failed py:failed py:succeeded py:succeeded
  last  pay       → past_due 3 collected ! card_declined insufficient_funds
      py.created py.failed in.payment_failed
      leaves pm pm sub:past_due in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  last  pay_spare → active 3
      py.created py.succeeded in.paid sub.recovered
      leaves pm pm sub:active in:paid in:paid py:failed py:failed py:failed py:succeeded py:succeeded
  last  elsewhere → active 3
      in.paid sub.recovered
      leaves pm pm sub:active in:paid in:paid py:failed py:failed py:failed py:succeeded
  last  void      → active 3
      in.voided sub.recovered
      leaves pm pm sub:active in:paid in:void py:failed py:failed py:failed py:succeeded
  last  write_off → active 3
      in.marked_uncollectible sub.recovered
      leaves pm pm sub:active in:paid in:uncollectible py:failed py:failed py:failed py:succeeded
  last  cancel    → canceled requested 3
      sub.canceled in.updated
      leaves pm pm sub:canceled in:open in:paid py:failed py:failed py:failed py:succeeded

  over  retry     → same
`

/** The cells of the policies that keep the subscription. */
const KEPT = `
  over  pay_spare → active 4
      py.created py.succeeded in.paid sub.recovered
      leaves pm pm sub:active in:paid in:paid py:failed py:failed py:failed py:failed py:succeeded py:succeeded
  over  elsewhere → active 4
      in.paid sub.recovered
      leaves pm pm sub:active in:paid in:paid py:failed py:failed py:failed py:failed py:succeeded
  over  void      → active 4
      in.voided sub.recovered
      leaves pm pm sub:active in:paid in:void py:failed py:failed py:failed py:failed py:succeeded
  over  write_off → active 4
      in.marked_uncollectible sub.recovered
      leaves pm pm sub:active in:paid in:uncollectible py:failed py:failed py:failed py:failed py:succeeded
  over  cancel    → canceled requested 4
      sub.canceled in.updated
      leaves pm pm sub:canceled in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
`

const CANCEL = `
  last  retry,period → canceled payment_failed 4
      py.created py.failed in.payment_failed sub.canceled in.updated
      leaves pm pm sub:canceled in:open in:paid py:failed py:failed py:failed py:failed py:succeeded

  over  period    → same
  over  new_card,cancel → same ! subscription_unexpected_state
  over  pay       → canceled payment_failed 4 ! card_declined insufficient_funds
      py.created py.failed in.payment_failed
      leaves pm pm sub:canceled in:open in:paid py:failed py:failed py:failed py:failed py:failed py:succeeded
  over  pay_spare → canceled payment_failed 4
      py.created py.succeeded in.paid
      leaves pm pm sub:canceled in:paid in:paid py:failed py:failed py:failed py:failed py:succeeded py:succeeded
  over  elsewhere → canceled payment_failed 4
      in.paid
      leaves pm pm sub:canceled in:paid in:paid py:failed py:failed py:failed py:failed py:succeeded
  over  void      → canceled payment_failed 4
      in.voided
      leaves pm pm sub:canceled in:paid in:void py:failed py:failed py:failed py:failed py:succeeded
  over  write_off → canceled payment_failed 4
      in.marked_uncollectible
      leaves pm pm sub:canceled in:paid in:uncollectible py:failed py:failed py:failed py:failed py:succeeded
`

const UNPAID = `
  last  retry     → unpaid 4 collected
      py.created py.failed in.payment_failed sub.unpaid
      leaves pm pm sub:unpaid in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  last  period    → unpaid 4 collected
      py.created py.failed in.payment_failed sub.unpaid sub.renewed in.created
      leaves pm pm sub:unpaid in:draft in:open in:paid py:failed py:failed py:failed py:failed py:succeeded

  over  new_card  → unpaid 4 collected
      sub.updated
      leaves pm pm sub:unpaid in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  over  pay       → unpaid 4 collected ! card_declined insufficient_funds
      py.created py.failed in.payment_failed
      leaves pm pm sub:unpaid in:open in:paid py:failed py:failed py:failed py:failed py:failed py:succeeded
  over  period    → unpaid 4 collected
      sub.renewed in.created
      leaves pm pm sub:unpaid in:draft in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
`

const PAST_DUE = `
  last  retry     → past_due 4 collected
      py.created py.failed in.payment_failed
      leaves pm pm sub:past_due in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  last  period    → past_due 4 collected
      py.created py.failed in.payment_failed sub.renewed in.created in.finalized py.created py.failed in.payment_failed
      leaves pm pm sub:past_due in:open in:open in:paid py:failed py:failed py:failed py:failed py:failed py:succeeded

  over  new_card  → past_due 4 collected
      sub.updated
      leaves pm pm sub:past_due in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  over  pay       → past_due 4 collected ! card_declined insufficient_funds
      py.created py.failed in.payment_failed
      leaves pm pm sub:past_due in:open in:paid py:failed py:failed py:failed py:failed py:failed py:succeeded
  over  period    → past_due 4 collected
      sub.renewed in.created in.finalized py.created py.failed in.payment_failed
      leaves pm pm sub:past_due in:open in:open in:paid py:failed py:failed py:failed py:failed py:failed py:succeeded
`

const failed = (days: number) =>
  after(failing({ card: 'renewal_no_funds' }), (sandbox) => sandbox.advance(days * DAY))

function testPolicy(on_exhausted: ExhaustionPolicy, table: string): void {
  testLifecycle<PastDue>(test, {
    name: on_exhausted,
    table,
    dunning: { retry_days: [3, 5, 7], on_exhausted },
    states: { last: failed(8), over: failed(15) },
    triggers: {
      ...pastDueTriggers((sandbox) => sandbox.advance(7 * DAY)),
      period: (sandbox, { id }) => toNextPeriod(sandbox, id),
    },
    stateOf: async (sandbox, { id, invoice }) => {
      const { status, cancellation_reason } = await sandbox.call(api.subscriptions.retrieve, { id })
      const { attempt_count, auto_advance } = await sandbox.call(api.invoices.retrieve, { id: invoice })
      const collection = auto_advance ? 'collected' : ''
      return [status, cancellation_reason ?? '', attempt_count, collection].filter(Boolean).join(' ')
    },
  })
}

testPolicy('cancel', EVERY_POLICY + CANCEL)
testPolicy('unpaid', EVERY_POLICY + KEPT + UNPAID)
testPolicy('past_due', EVERY_POLICY + KEPT + PAST_DUE)

test.run()
