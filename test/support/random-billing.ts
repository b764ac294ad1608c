import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import { any, cardOf, pickId, timeOf } from './pick-records.ts'
import { act, optionalPick, type Performers, pick, type ValueOf, weighted } from './random-acts.ts'
import { changeParams, randomChanges } from './random-changes.ts'
import { couponActs, PERFORM_COUPON } from './random-coupons.ts'
import { invoiceActs, PERFORM_INVOICE } from './random-invoices.ts'
import { invoiceItemParams, orderParams, payers, subscriptionUpdate } from './random-params.ts'
import { PERFORM_TRIAL, trialActs } from './random-trials.ts'
import { DAY, type Sandbox, START } from './sandbox.ts'

type Span = { readonly interval: 'hour' | 'day' | 'week' | 'month' | 'year'; readonly count: number }

const spans = weighted(
  [2, spanOf('hour', 40)],
  [4, spanOf('day', 20)],
  [2, spanOf('week', 6)],
  [4, spanOf('month', 3)],
)

function spanOf(interval: Span['interval'], max: number): fc.Arbitrary<Span> {
  return fc.integer({ min: 1, max }).map((count) => ({ interval, count }))
}

const mostlyPicked = fc.option(pick, { freq: 4 })

/** Generates a billing operation; operations that create events are more frequent. */
export const billingActs = weighted(
  [
    1,
    act('create clock', {
      offset: fc.constantFrom(-400 * DAY, -DAY, 0, 16 * DAY + 9 * 3600, 45 * DAY),
      customer: mostlyPicked,
    }),
  ],
  [12, act('advance clock', { pick, by: spans })],
  [12, act('subscribe', { pick, alias: payers, params: orderParams })],
  [3, act('update subscription', { pick, card: optionalPick, params: subscriptionUpdate })],
  [
    6,
    act('change subscription', {
      pick,
      verb: fc.constantFrom('update', 'update', 'update', 'preview'),
      change: randomChanges,
    }),
  ],
  [1, act('settle subscription', { pick, invoice_now: fc.boolean() })],
  [1, act('cancel subscription', { pick, verb: fc.constantFrom('cancel', 'delete') })],
  [16, invoiceActs],
  [4, act('create invoice item', { pick, params: invoiceItemParams })],
  [1, act('delete invoice item', { pick })],
  [3, act('refund', { pick, share: fc.integer({ min: 1, max: 4 }) })],
  [2, act('detach card', { pick })],
  [4, trialActs],
  [8, couponActs],
)

/** Deletes every object on a clock, so it is a separate, rare operation. */
export const deleteClock = act('delete clock', { pick })

/** Performs billing operations. */
export const PERFORM_BILLING: Performers<ValueOf<typeof billingActs | typeof deleteClock>> = {
  ...PERFORM_INVOICE,
  ...PERFORM_TRIAL,
  ...PERFORM_COUPON,
  'create clock': async (sandbox, { offset, customer }, { customers, clocks }) => {
    const given = customer === null ? {} : { customer: pickId(customers, customer) }
    clocks.push((await sandbox.call(api.testClocks.create, { frozen_time: START + offset, ...given })).id)
  },
  'advance clock': (sandbox, { pick, by }, { clocks }) =>
    sandbox.call(api.testClocks.advance, { id: pickId(clocks, pick), by }),
  'delete clock': (sandbox, { pick }, { clocks }) =>
    sandbox.call(api.testClocks.delete, { id: pickId(clocks, pick) }),
  subscribe: async (sandbox, { pick, alias, params }, { customers }) => {
    const customer = pickId(customers, pick)
    const { id } = await sandbox.call(api.checkoutSessions.create, { ...params, customer })
    return sandbox.call(api.checkoutSessions.complete, { id, test_card: alias })
  },
  'update subscription': async (sandbox, { pick, card, params }) => {
    const subscription = await liveSubscription(sandbox, pick)
    const chosen = card === null ? null : await cardOf(sandbox, subscription?.customer ?? '', card)
    const fields = { ...params, ...(chosen && { default_payment_method: chosen }) }
    return sandbox.call(api.subscriptions.update, { id: subscription?.id ?? 'nobody', ...fields })
  },
  'change subscription': async (sandbox, { pick, verb, change }) => {
    const found = await liveSubscription(sandbox, pick)
    const params = found && changeParams(found, change, await timeOf(sandbox, found))
    return sandbox.call(api.subscriptions[verb], { id: found?.id ?? 'nobody', ...params })
  },
  'settle subscription': async (sandbox, { pick, invoice_now }) => {
    const id = (await liveSubscription(sandbox, pick))?.id ?? 'nobody'
    return sandbox.call(api.subscriptions.cancel, { id, prorate: true, invoice_now })
  },
  'cancel subscription': async (sandbox, { pick, verb }) => {
    const id = (await liveSubscription(sandbox, pick))?.id ?? 'nobody'
    return sandbox.call(api.subscriptions[verb], { id })
  },
  'create invoice item': async (sandbox, { pick, params }) => {
    const states = ['pending', 'active', 'past_due', 'unpaid']
    const subscription = (await any(sandbox, 'subscriptions', { pick, states }))?.id ?? 'nobody'
    return sandbox.call(api.invoiceItems.create, { subscription, ...params })
  },
  'delete invoice item': async (sandbox, { pick }) => {
    const id = (await any(sandbox, 'invoice_items', { pick }))?.id ?? 'nobody'
    return sandbox.call(api.invoiceItems.delete, { id })
  },
  refund: async (sandbox, { pick, share }) => {
    const payment = await any(sandbox, 'payments', { pick, states: ['succeeded'] })
    const part = share === 1 ? {} : { amount: Math.ceil((payment?.amount ?? 1) / share) }
    return sandbox.call(api.refunds.create, { payment: payment?.id ?? 'nobody', ...part })
  },
  'detach card': async (sandbox, { pick }) => {
    const id = (await any(sandbox, 'payment_methods', { pick }))?.id ?? 'nobody'
    return sandbox.call(api.paymentMethods.detach, { id })
  },
}

function liveSubscription(sandbox: Sandbox, pick: number) {
  const states = ['pending', 'trialing', 'active', 'past_due', 'unpaid', 'paused']
  return any(sandbox, 'subscriptions', { pick, states })
}
