import { api } from '../../src/api/api.ts'
import { invoiceIn, invoicesOf, saveCard, subscribe, toNextPeriod } from '../support/billing.ts'
import { testLifecycle } from '../support/lifecycle.ts'
import { DAY, type Sandbox } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'
import { failing, type PastDue, pastDueTriggers } from './past-due-triggers.ts'

const test = suite('scenarios/subscription-dunning')

/**
 * A subscription whose renewal failed, with the default retries after 3, 5 and 7 days. The card of the subscription has
 * no funds, is lost, requires authentication, or was detached. `several` is weekly and its first two renewals failed.
 * The status is followed by the attempts of each open invoice and the days until the next attempt.
 */
const TABLE = `
  no_funds   retry     → past_due 2+5d
      py.created py.failed in.payment_failed
      leaves pm pm sub:past_due in:open in:paid py:failed py:failed py:succeeded
  no_funds   pay       → past_due 1+3d ! card_declined insufficient_funds
      py.created py.failed in.payment_failed
      leaves pm pm sub:past_due in:open in:paid py:failed py:failed py:succeeded
  no_funds,lost,needs_3ds  new_card  → active
      sub.updated py.created py.succeeded in.paid sub.recovered
      leaves pm pm sub:active in:paid in:paid py:failed py:succeeded py:succeeded
  no_funds,lost,needs_3ds  pay_spare → active
      py.created py.succeeded in.paid sub.recovered
      leaves pm pm sub:active in:paid in:paid py:failed py:succeeded py:succeeded
  no_funds,lost,needs_3ds  elsewhere → active
      in.paid sub.recovered
      leaves pm pm sub:active in:paid in:paid py:failed py:succeeded
  no_funds,lost,needs_3ds  void      → active
      in.voided sub.recovered
      leaves pm pm sub:active in:paid in:void py:failed py:succeeded
  no_funds,lost,needs_3ds  write_off → active
      in.marked_uncollectible sub.recovered
      leaves pm pm sub:active in:paid in:uncollectible py:failed py:succeeded
  no_funds,lost,needs_3ds  cancel    → canceled 1
      sub.canceled in.updated
      leaves pm pm sub:canceled in:open in:paid py:failed py:succeeded

  several    retry     → past_due 3+7d 1+2d
      py.created py.failed in.payment_failed
      leaves pm pm sub:past_due in:open in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  several    new_card  → past_due 1+2d
      sub.updated py.created py.succeeded in.paid
      leaves pm pm sub:past_due in:open in:paid in:paid py:failed py:failed py:failed py:succeeded py:succeeded
  several    pay       → past_due 2+1d 1+3d ! card_declined insufficient_funds
      py.created py.failed in.payment_failed
      leaves pm pm sub:past_due in:open in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  several    pay_spare → past_due 1+3d
      py.created py.succeeded in.paid
      leaves pm pm sub:past_due in:open in:paid in:paid py:failed py:failed py:failed py:succeeded py:succeeded
  several    elsewhere → past_due 1+3d
      in.paid
      leaves pm pm sub:past_due in:open in:paid in:paid py:failed py:failed py:failed py:succeeded
  several    void      → past_due 1+3d
      in.voided
      leaves pm pm sub:past_due in:open in:paid in:void py:failed py:failed py:failed py:succeeded
  several    write_off → past_due 1+3d
      in.marked_uncollectible
      leaves pm pm sub:past_due in:open in:paid in:uncollectible py:failed py:failed py:failed py:succeeded
  several    cancel    → canceled 2 1
      sub.canceled in.updated in.updated
      leaves pm pm sub:canceled in:open in:open in:paid py:failed py:failed py:failed py:succeeded

  lost       pay       → past_due 1+3d ! card_declined lost_card
      py.created py.failed in.payment_failed
      leaves pm pm sub:past_due in:open in:paid py:failed py:failed py:succeeded
  lost,needs_3ds  retry     → past_due 2+5d
      in.updated
      leaves pm pm sub:past_due in:open in:paid py:failed py:succeeded

  needs_3ds  pay       → past_due 1+3d ! authentication_required
      py.created py.failed in.payment_action_required
      leaves pm pm sub:past_due in:open in:paid py:failed py:failed py:succeeded

  no_card    retry     → past_due 2+5d
      in.payment_failed
      leaves pm:detached pm sub:past_due in:open in:paid py:succeeded
  no_card    new_card  → active
      sub.updated py.created py.succeeded in.paid sub.recovered
      leaves pm:detached pm sub:active in:paid in:paid py:succeeded py:succeeded
  no_card    pay       → same ! payment_method_missing
  no_card    pay_spare → active
      py.created py.succeeded in.paid sub.recovered
      leaves pm:detached pm sub:active in:paid in:paid py:succeeded py:succeeded
  no_card    elsewhere → active
      in.paid sub.recovered
      leaves pm:detached pm sub:active in:paid in:paid py:succeeded
  no_card    void      → active
      in.voided sub.recovered
      leaves pm:detached pm sub:active in:paid in:void py:succeeded
  no_card    write_off → active
      in.marked_uncollectible sub.recovered
      leaves pm:detached pm sub:active in:paid in:uncollectible py:succeeded
  no_card    cancel    → canceled 1
      sub.canceled in.updated
      leaves pm:detached pm sub:canceled in:open in:paid py:succeeded
`

async function withoutCard(sandbox: Sandbox): Promise<PastDue> {
  const { id, customer, default_payment_method } = await subscribe(sandbox)
  const { id: spare } = await saveCard(sandbox, customer, 'mastercard')
  await sandbox.call(api.paymentMethods.detach, { id: default_payment_method ?? '' })
  await toNextPeriod(sandbox, id)
  return { id, spare, invoice: (await invoiceIn(sandbox, id, ['open'])).id }
}

async function toRetry(sandbox: Sandbox, { invoice }: PastDue): Promise<void> {
  const { next_payment_attempt } = await sandbox.call(api.invoices.retrieve, { id: invoice })
  await sandbox.moveTo(next_payment_attempt ?? sandbox.now() + 7 * DAY)
}

testLifecycle<PastDue>(test, {
  table: TABLE,
  states: {
    no_funds: failing({ card: 'renewal_no_funds' }),
    several: failing({ card: 'renewal_no_funds', interval: 'week' }, 2),
    lost: failing({ card: 'renewal_lost' }),
    needs_3ds: failing({ card: 'renewal_sca' }),
    no_card: withoutCard,
  },
  triggers: pastDueTriggers(toRetry),
  stateOf: async (sandbox, { id }) => {
    const { status } = await sandbox.call(api.subscriptions.retrieve, { id })
    const open = (await invoicesOf(sandbox, id)).filter((invoice) => invoice.status === 'open')
    const attempts = open.map(({ attempt_count, next_payment_attempt }) =>
      next_payment_attempt === null
        ? `${attempt_count}`
        : `${attempt_count}+${(next_payment_attempt - sandbox.now()) / DAY}d`,
    )
    return [status, ...attempts].join(' ')
  },
})

test.run()
