import { api } from '../../src/api/api.ts'
import { DomainError } from '../../src/domain/core/domain-error.ts'
import { HostedPages, locationOf, pathOf } from '../pages/hosted-pages.ts'
import { formOn } from '../pages/portal/portal-scene.ts'
import { type Order, subscribe, toNextPeriod } from '../support/billing.ts'
import { testLifecycle } from '../support/lifecycle.ts'
import { CHECKOUT_URL, DAY, type Sandbox, START } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/portal-forms-lifecycle')

interface Subject {
  readonly id: string
  /** The paths of two portals: one cancels at the end of the period, and the other cancels immediately. */
  readonly paths: { readonly at_period_end: string; readonly now: string }
}

/**
 * Forms of the customer portal about a subscription in each state. `change` chooses two units of a larger plan. The
 * outcome is `not_offered` if the page does not have the form.
 */
const TABLE = `
  pending   cancel      → pending ending 1x1000
      sub.updated
      leaves pm sub:pending
  pending   cancel_now  → canceled 1x1000
      sub.canceled
      leaves pm sub:canceled
  pending   change      → pending 2x2000
      sub.updated
      leaves pm sub:pending

  trialing  cancel      → trialing ending 1x1000
      sub.updated
      leaves pm sub:trialing in:paid timer
  trialing  cancel_now  → canceled 1x1000
      sub.canceled
      leaves pm sub:canceled in:paid timer
  trialing  change      → trialing 2x2000
      sub.updated
      leaves pm sub:trialing in:paid timer

  active    cancel      → active ending 1x1000
      sub.updated
      leaves pm sub:active in:paid py:succeeded
  active    change      → active 2x2000
      sub.updated ii.created ii.created in.created ii.updated ii.updated in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  active    cancel_now  → canceled 1x1000
      sub.canceled
      leaves pm sub:canceled in:paid py:succeeded

  ending    cancel_now  → canceled ending 1x1000
      sub.canceled
      leaves pm sub:canceled in:paid py:succeeded
  ending    resume      → active 1x1000
      sub.updated
      leaves pm sub:active in:paid py:succeeded
  ending    change      → active ending 2x2000
      sub.updated ii.created ii.created in.created ii.updated ii.updated in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded

  past_due  cancel      → past_due ending 1x1000
      sub.updated
      leaves pm sub:past_due in:open in:paid py:failed py:succeeded
  past_due  cancel_now  → canceled 1x1000
      sub.canceled in.updated
      leaves pm sub:canceled in:open in:paid py:failed py:succeeded
  past_due  change      → same ! status_402

  unpaid    cancel      → unpaid ending 1x1000
      sub.updated
      leaves pm sub:unpaid in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  unpaid    cancel_now  → canceled 1x1000
      sub.canceled in.updated
      leaves pm sub:canceled in:open in:paid py:failed py:failed py:failed py:failed py:succeeded
  unpaid    change      → unpaid 2x2000
      sub.updated ii.created ii.created
      leaves pm sub:unpaid in:open in:paid py:failed py:failed py:failed py:failed py:succeeded

  paused    cancel,cancel_now → canceled 1x1000
      sub.canceled
      leaves pm:detached sub:canceled in:paid
  paused    change      → paused 2x2000
      sub.updated
      leaves pm:detached sub:paused in:paid

  ending    cancel      → same ! not_offered
  canceled  cancel,cancel_now,resume,change → same ! not_offered
  pending,trialing,active,past_due,unpaid,paused  resume → same ! not_offered
`

const subscribed =
  (order: Order, act: (sandbox: Sandbox, id: string) => Promise<unknown> = async () => {}) =>
  async (sandbox: Sandbox): Promise<Subject> => {
    const { id, customer } = await subscribe(sandbox, order)
    await act(sandbox, id)
    const open = async (cancel: 'at_period_end' | 'now') => {
      const plans = [{ description: 'Large', amount: 200_000 }]
      return pathOf(await sandbox.call(api.portalSessions.create, { customer, features: { cancel, plans } }))
    }
    return { id, paths: { at_period_end: await open('at_period_end'), now: await open('now') } }
  }

/** Returns a trigger that submits a form about the subscription; `from` is the page with the form. */
const submits =
  (part: string, cancel: keyof Subject['paths'] = 'at_period_end', isOnOverview = false) =>
  async (sandbox: Sandbox, { id, paths }: Subject): Promise<void> => {
    const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
    const action = `${paths[cancel]}/subscriptions/${id}/${part}`
    const page = await hosted.get(isOnOverview ? paths[cancel] : action)
    if (!page.body.includes(`action="${action}"`))
      throw new DomainError('not_offered', 'the page has no form')
    const answer = await hosted.post(action, formOn(page, action))
    if (answer.status !== 303) throw new DomainError(`status_${answer.status}`, 'the form was rejected')
    if (locationOf(answer) !== `${paths[cancel]}?done=1`) throw new Error(locationOf(answer))
  }

async function toUnpaid(sandbox: Sandbox, id: string): Promise<void> {
  await toNextPeriod(sandbox, id)
  await sandbox.advance(15 * DAY)
}

const endsWithPeriod = (sandbox: Sandbox, id: string) =>
  sandbox.call(api.subscriptions.update, { id, cancel_at_period_end: true })

testLifecycle<Subject>(test, {
  dunning: { retry_days: [3, 5, 7], on_exhausted: 'unpaid' },
  table: TABLE,
  states: {
    pending: subscribed({ start_date: START + 10 * DAY }),
    trialing: subscribed({ trial_days: 10 }),
    active: subscribed({}, (sandbox) => sandbox.advance(DAY)),
    ending: subscribed({}, endsWithPeriod),
    past_due: subscribed({ card: 'renewal_no_funds' }, toNextPeriod),
    unpaid: subscribed({ card: 'renewal_no_funds' }, toUnpaid),
    paused: subscribed(
      { trial_days: 1, trial_settings: { missing_payment_method: 'pause' } },
      async (sandbox, id) => {
        const { default_payment_method } = await sandbox.call(api.subscriptions.retrieve, { id })
        await sandbox.call(api.paymentMethods.detach, { id: default_payment_method ?? '' })
        await sandbox.advance(DAY)
      },
    ),
    canceled: subscribed({}, (sandbox, id) => sandbox.call(api.subscriptions.cancel, { id })),
  },
  triggers: {
    cancel: submits('cancel'),
    cancel_now: submits('cancel', 'now'),
    resume: submits('resume', 'at_period_end', true),
    change: submits('change/0/2'),
  },
  stateOf: async (sandbox, { id }) => {
    const { status, cancel_at_period_end, items } = await sandbox.call(api.subscriptions.retrieve, { id })
    const price = items.map(({ quantity, price_data }) => `${quantity}x${price_data.amount / 100}`)
    return [status, cancel_at_period_end ? 'ending' : '', ...price].join(' ').replace('  ', ' ')
  },
})

test.run()
