import { api } from '../../src/api/api.ts'
import type { ParamsOf } from '../../src/api/core/operation.ts'
import { saveCard, toNextPeriod } from '../support/billing.ts'
import { after, type Lifecycle, testLifecycle } from '../support/lifecycle.ts'
import { newCheckout } from '../support/samples.ts'
import { DAY, type Sandbox, START } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/trial-lifecycle')

interface Subject {
  readonly id: string
  readonly customer: string
  /** The saved card; null when the session required none. */
  readonly card: string | null
}

type Params = ParamsOf<typeof api.checkoutSessions.create>

const TRIAL_DAYS = 14
const TRIAL_END = START + TRIAL_DAYS * DAY

/**
 * The ends of a trial of two weeks. `notice` and `time` move time to three days before the end and to the end. `now`,
 * `sooner`, `later` and `past` change the end of the trial. A state contains the planned end of the trial in days.
 */
const TABLE = `
  trialing   time        → active @0 14d
      sub.trial_will_end sub.started in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded
  trialing   now         → active @0 0d
      sub.started in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded timer
  trialing,declined  notice      → trialing @-1 14d
      sub.trial_will_end
      leaves pm sub:trialing in:paid
  trialing,declined  sooner      → trialing @-1 1d
      sub.updated sub.trial_will_end
      leaves pm sub:trialing in:paid
  trialing,declined  later       → trialing @-1 30d
      sub.updated
      leaves pm sub:trialing in:paid timer
  trialing,declined  end         → trialing @-1 14d ending
      sub.updated
      leaves pm sub:trialing in:paid timer
  trialing,declined  cancel      → canceled @-1 14d requested
      sub.canceled
      leaves pm sub:canceled in:paid timer
  trialing,declined  card_resume → trialing @-1 14d ! subscription_unexpected_state
      pm.attached
      leaves pm pm sub:trialing in:paid timer
  trialing,declined  detach_time → past_due @0 14d
      pm.detached cus.updated sub.updated sub.trial_will_end sub.started in.created in.finalized in.payment_failed sub.past_due
      leaves pm:detached sub:past_due in:open in:paid
  trialing,ending,declined  no_customer → canceled @-1 14d customer_deleted
      sub.canceled pm.detached cus.deleted
      leaves pm:detached sub:canceled in:paid timer
  trialing,announced,ending,declined,sent,cardless,canceling,pausing  past        → same ! timestamp_invalid
  trialing,announced,ending,declined,sent,cardless,canceling,pausing  resume      → same ! subscription_unexpected_state

  announced  notice      → same
  announced  time        → active @0 14d
      sub.started in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded
  announced  now         → active @0 12d
      sub.started in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded
  announced  sooner      → trialing @-1 13d
      sub.updated
      leaves pm sub:trialing in:paid
  announced  later       → trialing @-1 42d
      sub.updated
      leaves pm sub:trialing in:paid timer
  announced  end         → trialing @-1 14d ending
      sub.updated
      leaves pm sub:trialing in:paid
  announced  cancel      → canceled @-1 14d requested
      sub.canceled
      leaves pm sub:canceled in:paid
  announced  card_resume → trialing @-1 14d ! subscription_unexpected_state
      pm.attached
      leaves pm pm sub:trialing in:paid
  announced  detach_time → past_due @0 14d
      pm.detached cus.updated sub.updated sub.started in.created in.finalized in.payment_failed sub.past_due
      leaves pm:detached sub:past_due in:open in:paid
  announced  no_customer → canceled @-1 14d customer_deleted
      sub.canceled pm.detached cus.deleted
      leaves pm:detached sub:canceled in:paid

  ending     notice      → trialing @-1 14d ending
      sub.trial_will_end
      leaves pm sub:trialing in:paid
  ending     time        → canceled @-1 14d requested
      sub.trial_will_end sub.canceled
      leaves pm sub:canceled in:paid
  ending     now,cancel  → canceled @-1 14d requested
      sub.canceled
      leaves pm sub:canceled in:paid timer
  ending     sooner      → trialing @-1 1d ending
      sub.updated sub.trial_will_end
      leaves pm sub:trialing in:paid
  ending     later       → trialing @-1 30d ending
      sub.updated
      leaves pm sub:trialing in:paid timer
  ending     end         → same
  ending     card_resume → trialing @-1 14d ending ! subscription_unexpected_state
      pm.attached
      leaves pm pm sub:trialing in:paid timer
  ending     detach_time → canceled @-1 14d requested
      pm.detached cus.updated sub.updated sub.trial_will_end sub.canceled
      leaves pm:detached sub:canceled in:paid

  declined   time        → past_due @0 14d
      sub.trial_will_end sub.started in.created in.finalized py.created py.failed in.payment_failed sub.past_due
      leaves pm sub:past_due in:open in:paid py:failed
  declined   now         → past_due @0 0d
      sub.started in.created in.finalized py.created py.failed in.payment_failed sub.past_due
      leaves pm sub:past_due in:open in:paid py:failed timer

  sent       time        → active @0 14d
      sub.trial_will_end sub.started in.created in.finalized in.sent
      leaves sub:active in:open in:paid timer
  sent       now         → active @0 0d
      sub.started in.created in.finalized in.sent
      leaves sub:active in:open in:paid timer timer
  sent,cardless,canceling,pausing  notice      → trialing @-1 14d
      sub.trial_will_end
      leaves sub:trialing in:paid
  sent,cardless,canceling,pausing  sooner      → trialing @-1 1d
      sub.updated sub.trial_will_end
      leaves sub:trialing in:paid
  sent,cardless,canceling,pausing  later       → trialing @-1 30d
      sub.updated
      leaves sub:trialing in:paid timer
  sent,cardless,canceling,pausing  end         → trialing @-1 14d ending
      sub.updated
      leaves sub:trialing in:paid timer
  sent,cardless,canceling,pausing  cancel      → canceled @-1 14d requested
      sub.canceled
      leaves sub:canceled in:paid timer
  sent,cardless,canceling,pausing  card_resume → trialing @-1 14d ! subscription_unexpected_state
      pm.attached cus.updated
      leaves pm sub:trialing in:paid timer
  sent,cardless,canceling,pausing  no_customer → canceled @-1 14d customer_deleted
      sub.canceled cus.deleted
      leaves sub:canceled in:paid timer
  sent,cardless,canceling,pausing,paused  detach_time → same ! resource_missing

  cardless   time        → past_due @0 14d
      sub.trial_will_end sub.started in.created in.finalized in.payment_failed sub.past_due
      leaves sub:past_due in:open in:paid
  cardless   now         → past_due @0 0d
      sub.started in.created in.finalized in.payment_failed sub.past_due
      leaves sub:past_due in:open in:paid timer

  canceling  time        → canceled @-1 14d missing_payment_method
      sub.trial_will_end sub.canceled
      leaves sub:canceled in:paid
  canceling  now         → canceled @-1 14d missing_payment_method
      sub.canceled
      leaves sub:canceled in:paid timer

  pausing    time        → paused @-1 14d
      sub.trial_will_end sub.paused
      leaves sub:paused in:paid
  pausing    now         → paused @-1 0d
      sub.paused
      leaves sub:paused in:paid timer

  paused     notice,time → same
  paused     now,sooner,later,past → same ! subscription_unexpected_state
  paused     end         → paused @-1 14d ending
      sub.updated
      leaves sub:paused in:paid
  paused     cancel      → canceled @-1 14d requested
      sub.canceled
      leaves sub:canceled in:paid
  paused     resume      → same ! payment_method_missing
  paused     card_resume → active @0 14d
      pm.attached cus.updated sub.resumed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded
  paused     no_customer → canceled @-1 14d customer_deleted
      sub.canceled cus.deleted
      leaves sub:canceled in:paid
`

async function startTrial(
  sandbox: Sandbox,
  terms: Partial<Params['subscription_data']>,
  { card = 'visa', ...fields }: Partial<Params> & { readonly card?: 'visa' | 'renewal_no_funds' | null } = {},
): Promise<Subject> {
  const { id } = await newCheckout(sandbox, { trial_days: TRIAL_DAYS, ...terms }, fields)
  await sandbox.call(api.checkoutSessions.complete, { id, ...(card && { test_card: card }) })
  const { subscription, customer, payment_method } = await sandbox.call(api.checkoutSessions.retrieve, { id })
  return { id: subscription ?? '', customer, card: payment_method }
}

const trialing =
  (...[terms, fields]: [Partial<Params['subscription_data']>?, Parameters<typeof startTrial>[2]?]) =>
  (sandbox: Sandbox): Promise<Subject> =>
    startTrial(sandbox, terms ?? {}, fields)

const withoutCard = (missing_payment_method: 'create_invoice' | 'cancel' | 'pause') =>
  trialing(
    { trial_settings: { missing_payment_method } },
    { payment_method_collection: 'if_required', card: null },
  )

const update =
  (fields: object) =>
  (sandbox: Sandbox, { id }: Subject): Promise<unknown> =>
    sandbox.call(api.subscriptions.update, { id, ...fields })

const LIFECYCLE: Lifecycle<Subject> = {
  table: TABLE,
  states: {
    trialing: trialing(),
    announced: after(trialing(), (sandbox) => sandbox.moveTo(TRIAL_END - 2 * DAY)),
    ending: after(trialing(), update({ cancel_at_period_end: true })),
    declined: trialing({}, { card: 'renewal_no_funds' }),
    sent: trialing({ collection_method: 'send_invoice' }, { card: null }),
    cardless: withoutCard('create_invoice'),
    canceling: withoutCard('cancel'),
    pausing: withoutCard('pause'),
    paused: after(withoutCard('pause'), (sandbox) => sandbox.moveTo(TRIAL_END)),
  },
  triggers: {
    notice: (sandbox) => sandbox.moveTo(Math.max(sandbox.now(), TRIAL_END - 3 * DAY)),
    time: (sandbox, { id }) => toNextPeriod(sandbox, id),
    now: update({ trial_end: 'now' }),
    sooner: (sandbox, subject) => update({ trial_end: sandbox.now() + DAY })(sandbox, subject),
    later: (sandbox, subject) => update({ trial_end: sandbox.now() + 30 * DAY })(sandbox, subject),
    past: (sandbox, subject) => update({ trial_end: sandbox.now() })(sandbox, subject),
    end: update({ cancel_at_period_end: true }),
    cancel: (sandbox, { id }) => sandbox.call(api.subscriptions.cancel, { id }),
    resume: (sandbox, { id }) => sandbox.call(api.subscriptions.resume, { id }),
    card_resume: async (sandbox, { id, customer }) => {
      await saveCard(sandbox, customer, 'visa')
      await sandbox.call(api.subscriptions.resume, { id })
    },
    detach_time: async (sandbox, { id, card }) => {
      await sandbox.call(api.paymentMethods.detach, { id: card ?? 'none' })
      await toNextPeriod(sandbox, id)
    },
    no_customer: (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer }),
  },
  stateOf: async (sandbox, { id }) => {
    const found = await sandbox.call(api.subscriptions.retrieve, { id })
    const { status, cancel_at_period_end, cancellation_reason, period_index, trial_end } = found
    const isEnding = cancel_at_period_end && status !== 'canceled'
    const days = ((trial_end ?? 0) - START) / DAY
    return [status, `@${period_index}`, `${days}d`, isEnding ? 'ending' : '', cancellation_reason ?? '']
      .filter((word) => word !== '')
      .join(' ')
  },
}

testLifecycle(test, LIFECYCLE)

test.run()
