import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import { TEST_CARDS } from '../../src/domain/cards/test-cards.ts'
import { any, cardOf, pickId, timeOf } from './pick-records.ts'
import { changeParams, type RandomChange, randomChanges } from './random-changes.ts'
import { answerInvoice, type InvoiceAct, onInvoice, payAsCustomer } from './random-invoices.ts'
import {
  type CheckoutParams,
  type InvoiceItemParams,
  invoiceItemParams,
  orderParams,
  type SubscriptionUpdate,
  subscriptionUpdate,
} from './random-params.ts'
import { performTrial, type TrialAct, trialActs } from './random-trials.ts'
import { DAY, type Sandbox, START } from './sandbox.ts'

type Span = { readonly interval: 'hour' | 'day' | 'week' | 'month' | 'year'; readonly count: number }

/** One random billing operation; a `pick` selects one of the objects that exist by then. */
export type BillingAct =
  | { readonly act: 'create clock'; readonly offset: number; readonly customer: number | null }
  | { readonly act: 'advance clock'; readonly pick: number; readonly by: Span }
  | { readonly act: 'delete clock'; readonly pick: number }
  | {
      readonly act: 'subscribe'
      readonly pick: number
      readonly alias: string
      readonly params: CheckoutParams
    }
  | {
      readonly act: 'update subscription'
      readonly pick: number
      readonly card: number | null
      readonly params: SubscriptionUpdate
    }
  | {
      readonly act: 'change subscription'
      readonly pick: number
      readonly verb: 'update' | 'preview'
      readonly change: RandomChange
    }
  | { readonly act: 'cancel subscription'; readonly pick: number; readonly verb: 'cancel' | 'delete' }
  | { readonly act: 'settle subscription'; readonly pick: number; readonly invoice_now: boolean }
  | { readonly act: 'answer invoice'; readonly pick: number; readonly isApproved: boolean }
  | { readonly act: 'create invoice item'; readonly pick: number; readonly params: InvoiceItemParams }
  | { readonly act: 'delete invoice item'; readonly pick: number }
  | { readonly act: 'refund'; readonly pick: number; readonly share: number }
  | { readonly act: 'detach card'; readonly pick: number }
  | InvoiceAct
  | TrialAct

const pick = fc.nat({ max: 9 })

const spans: fc.Arbitrary<Span> = fc.oneof(
  { weight: 2, arbitrary: spanOf('hour', 40) },
  { weight: 4, arbitrary: spanOf('day', 20) },
  { weight: 2, arbitrary: spanOf('week', 6) },
  { weight: 4, arbitrary: spanOf('month', 3) },
)

function spanOf(interval: Span['interval'], max: number): fc.Arbitrary<Span> {
  return fc.integer({ min: 1, max }).map((count) => ({ interval, count }))
}

const act = <A extends BillingAct['act'], F extends object>(
  name: A,
  fields: { [K in keyof F]: fc.Arbitrary<F[K]> },
) => fc.record({ act: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<BillingAct>

const paying = fc.constantFrom('off session', 'on session', 'on session', 'out of band')
const card = fc.option(pick)

/** Cards whose behaviour changes after the first payment are more frequent. */
const aliases = fc.oneof(
  fc.constantFrom(...TEST_CARDS.map(({ alias }) => alias)),
  fc.constantFrom(
    ...TEST_CARDS.filter(({ alias }) => /^(renewal|sca|refund|every)_/.test(alias)).map(({ alias }) => alias),
  ),
)

/** Generates a billing operation; operations that create events are more frequent. */
export const billingActs: fc.Arbitrary<BillingAct> = fc.oneof(
  {
    weight: 1,
    arbitrary: act('create clock', {
      offset: fc.constantFrom(-400 * DAY, -DAY, 0, 16 * DAY + 9 * 3600, 45 * DAY),
      customer: fc.option(pick, { freq: 4 }),
    }),
  },
  { weight: 12, arbitrary: act('advance clock', { pick, by: spans }) },
  {
    weight: 12,
    arbitrary: act('subscribe', {
      pick,
      alias: aliases,
      params: orderParams,
    }),
  },
  { weight: 3, arbitrary: act('update subscription', { pick, card, params: subscriptionUpdate }) },
  {
    weight: 6,
    arbitrary: act('change subscription', {
      pick,
      verb: fc.constantFrom('update', 'update', 'update', 'preview'),
      change: randomChanges,
    }),
  },
  { weight: 1, arbitrary: act('settle subscription', { pick, invoice_now: fc.boolean() }) },
  { weight: 1, arbitrary: act('cancel subscription', { pick, verb: fc.constantFrom('cancel', 'delete') }) },
  { weight: 6, arbitrary: act('pay invoice', { pick, card, how: paying }) },
  {
    weight: 4,
    arbitrary: act('pay as customer', { pick, alias: aliases, keep: fc.boolean(), isApproved: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: act('handle invoice', {
      pick,
      how: fc.constantFrom('finalize', 'collect', 'collect', 'void', 'markUncollectible'),
    }),
  },
  { weight: 3, arbitrary: act('answer invoice', { pick, isApproved: fc.boolean() }) },
  { weight: 4, arbitrary: act('create invoice item', { pick, params: invoiceItemParams }) },
  { weight: 1, arbitrary: act('delete invoice item', { pick }) },
  { weight: 3, arbitrary: act('refund', { pick, share: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: act('detach card', { pick }) },
  { weight: 4, arbitrary: trialActs },
)

/** Deletes every object on a clock, so it is a separate, rare operation. */
export const deleteClock: fc.Arbitrary<BillingAct> = act('delete clock', { pick })

/** Ids of the existing customers and clocks. */
export interface BillingCast {
  readonly customers: readonly string[]
  readonly clocks: string[]
}

/** Performs one billing operation and adds created clocks to the cast. */
export async function performBilling(
  sandbox: Sandbox,
  { customers, clocks }: BillingCast,
  act: BillingAct,
): Promise<void> {
  switch (act.act) {
    case 'create clock': {
      const frozen_time = START + act.offset
      const customer = act.customer === null ? {} : { customer: pickId(customers, act.customer) }
      clocks.push((await sandbox.call(api.testClocks.create, { frozen_time, ...customer })).id)
      return
    }
    case 'advance clock':
      await sandbox.call(api.testClocks.advance, { id: pickId(clocks, act.pick), by: act.by })
      return
    case 'delete clock':
      await sandbox.call(api.testClocks.delete, { id: pickId(clocks, act.pick) })
      return
    case 'subscribe':
      await subscribe(sandbox, pickId(customers, act.pick), act)
      return
    case 'update subscription':
    case 'change subscription':
    case 'cancel subscription':
    case 'settle subscription':
      await onSubscription(sandbox, act)
      return
    case 'create invoice item':
      await createInvoiceItem(sandbox, act.pick, act.params)
      return
    case 'delete invoice item': {
      const item = await any(sandbox, 'invoice_items', { pick: act.pick })
      await sandbox.call(api.invoiceItems.delete, { id: item?.id ?? 'nobody' })
      return
    }
    case 'change trial':
    case 'resume subscription':
      await performTrial(sandbox, act)
      return
    case 'refund':
      await refund(sandbox, act.pick, act.share)
      return
    case 'pay as customer':
      await payAsCustomer(sandbox, act)
      return
    case 'answer invoice':
      await answerInvoice(sandbox, act.pick, act.isApproved)
      return
    case 'detach card': {
      const card = await any(sandbox, 'payment_methods', { pick: act.pick })
      await sandbox.call(api.paymentMethods.detach, { id: card?.id ?? 'nobody' })
      return
    }
    default:
      await onInvoice(sandbox, act)
  }
}

async function subscribe(
  sandbox: Sandbox,
  customer: string,
  { alias, params }: Extract<BillingAct, { act: 'subscribe' }>,
): Promise<void> {
  const { id } = await sandbox.call(api.checkoutSessions.create, { ...params, customer })
  await sandbox.call(api.checkoutSessions.complete, { id, test_card: alias })
}

async function onSubscription(
  sandbox: Sandbox,
  act: Exclude<Extract<BillingAct, { act: `${string} subscription` }>, { act: 'resume subscription' }>,
): Promise<void> {
  const states = ['pending', 'trialing', 'active', 'past_due', 'unpaid', 'paused']
  const subscription = await any(sandbox, 'subscriptions', { pick: act.pick, states })
  const id = subscription?.id ?? 'nobody'
  if (act.act === 'cancel subscription') {
    await sandbox.call(api.subscriptions[act.verb], { id })
    return
  }
  if (act.act === 'settle subscription') {
    await sandbox.call(api.subscriptions.cancel, { id, prorate: true, invoice_now: act.invoice_now })
    return
  }
  if (act.act === 'change subscription') {
    const params =
      subscription === null ? {} : changeParams(subscription, act.change, await timeOf(sandbox, subscription))
    await sandbox.call(api.subscriptions[act.verb], { id, ...params })
    return
  }
  const card = act.card === null ? null : await cardOf(sandbox, subscription?.customer ?? '', act.card)
  const chosen = card === null ? {} : { default_payment_method: card }
  await sandbox.call(api.subscriptions.update, { id, ...act.params, ...chosen })
}

async function createInvoiceItem(sandbox: Sandbox, pick: number, params: InvoiceItemParams): Promise<void> {
  const states = ['pending', 'active', 'past_due', 'unpaid']
  const subscription = await any(sandbox, 'subscriptions', { pick, states })
  await sandbox.call(api.invoiceItems.create, { subscription: subscription?.id ?? 'nobody', ...params })
}

async function refund(sandbox: Sandbox, pick: number, share: number): Promise<void> {
  const payment = await any(sandbox, 'payments', { pick, states: ['succeeded'] })
  const part = share === 1 ? {} : { amount: Math.ceil((payment?.amount ?? 1) / share) }
  await sandbox.call(api.refunds.create, { payment: payment?.id ?? 'nobody', ...part })
}
