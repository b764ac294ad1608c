import { cardSessions } from '../../api/operations/card-sessions.ts'
import { refunds } from '../../api/operations/refunds.ts'
import { subscriptions } from '../../api/operations/subscriptions.ts'
import { testClocks } from '../../api/operations/test-clocks.ts'
import type { Subscription } from '../../domain/billing/subscriptions.ts'
import { type TriggerContext, unusableId } from './trigger-context.ts'

const MAX_ADVANCES = 20
const HALF_A_MONTH = { by: { interval: 'day', count: 15 } } as const
const DAY_SECONDS = 86_400

/** Refunds a payment. */
export function triggerRefund(context: TriggerContext, { id }: { readonly id: string }) {
  return context.create('refund', refunds.create, { payment: id })
}

/** Refunds a payment whose refund is decided an hour later, and advances its clock until then. */
export async function refundLater(context: TriggerContext, card: 'refund_async' | 'refund_fails') {
  const refund = await triggerRefund(context, await context.payment(card, { isOnClock: true }))
  return context.advance(refund, { by: { interval: 'hour', count: 2 } })
}

/** Advances the clock of a subscription to the end of its period, or to its start if it has none. */
export async function renew(context: TriggerContext, subscription: Subscription): Promise<void> {
  const { id, status, current_period_end, start_date } = subscription
  const another = 'another: paycli subscriptions list --status active'
  if (status === 'canceled') throw unusableId(id, 'is canceled, which is final', another)
  if (status === 'paused') throw unusableId(id, 'is paused, so it has no period to end', another)
  await context.advance(subscription, { frozen_time: current_period_end ?? start_date })
}

/** Raises the price of a subscription's first item, so that the change is prorated. */
export async function raisePrice(context: TriggerContext): Promise<Subscription> {
  const { id, items } = await context.subscription()
  const [item] = items
  if (item === undefined) throw unusableId(id, 'has no items')
  const change = { id: item.id, price_data: { amount: item.price_data.amount + 1000 } }
  return context.client.call(subscriptions.update, { id, items: [change] })
}

/** Adds a one-off fee to a subscription and renews it, so that an invoice bills the fee. */
export async function billOneOffFee(context: TriggerContext): Promise<void> {
  const { subscription } = await context.invoiceItem({ isOnClock: true })
  await renew(context, await context.client.call(subscriptions.retrieve, { id: subscription }))
}

/** Renews a subscription with a failing card, then updates the card, which pays the invoice. */
export async function recoverWithNewCard(context: TriggerContext): Promise<unknown> {
  const subscription = await context.subscription({ card: 'renewal_no_funds', isOnClock: true })
  await renew(context, subscription)
  const session = await context.createCardSession(subscription.customer)
  return context.client.call(cardSessions.complete, { id: session.id, test_card: 'visa' })
}

/** Creates a subscription that starts in a week and advances its clock to the start. */
export async function startLater(context: TriggerContext): Promise<void> {
  const customer = await context.customer({ isOnClock: true })
  const clock = await context.client.call(testClocks.retrieve, { id: String(customer.test_clock) })
  const start_date = clock.frozen_time + 7 * DAY_SECONDS
  const session = await context.createCheckoutSession(customer.id, { start_date })
  const subscription = await context.completeCheckout(session, 'visa')
  await context.advance(subscription, { frozen_time: start_date })
}

const TRIAL_DAYS = 14
const NOTICE_DAYS = 3

/** Starts a trial of two weeks and advances its clock to three days before the end. */
export async function approachTrialEnd(context: TriggerContext): Promise<void> {
  const trial = { trial_days: TRIAL_DAYS }
  const subscription = await context.subscription({ isOnClock: true, data: trial })
  const { id, status, trial_end } = subscription
  if (status !== 'trialing' || trial_end === null) throw unusableId(id, `is ${status}, not in a trial`)
  await context.advance(subscription, { frozen_time: trial_end - NOTICE_DAYS * DAY_SECONDS })
}

/** Starts a trial without a card that pauses the subscription, and advances its clock to the end. */
export async function pauseTrial(context: TriggerContext): Promise<Subscription> {
  const { id: customer } = await context.customer({ isOnClock: true })
  const session = await context.createCheckoutSession(
    customer,
    { trial_days: TRIAL_DAYS, trial_settings: { missing_payment_method: 'pause' } },
    { payment_method_collection: 'if_required' },
  )
  const subscription = await context.completeCheckout(session, undefined)
  await renew(context, subscription)
  return subscription
}

/** Resumes a paused subscription after its customer saved a card. */
export async function resumeTrial(context: TriggerContext): Promise<object> {
  const { id, customer } = await pauseTrial(context)
  await context.completeCheckout(await context.createCheckoutSession(customer, {}), 'visa')
  return context.client.call(subscriptions.resume, { id })
}

/** Renews a subscription with a failing card until the retries are exhausted. */
export async function exhaustRetries(context: TriggerContext): Promise<void> {
  const subscription = await context.subscription({ card: 'renewal_no_funds', isOnClock: true })
  await renew(context, subscription)
  for (let advances = 0; advances < MAX_ADVANCES; advances += 1) {
    const { status } = await context.client.call(subscriptions.retrieve, { id: subscription.id })
    if (status !== 'past_due') return
    await context.advance(subscription, HALF_A_MONTH)
  }
}

/** Returns changed metadata, because an update without a change would create no event. */
export function incrementTriggers({
  triggers = '0',
}: Readonly<Record<string, string>>): Record<string, string> {
  return { triggers: String(Number(triggers) + 1) }
}
