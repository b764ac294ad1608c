import { invoices } from '../../api/operations/invoices.ts'
import { refunds } from '../../api/operations/refunds.ts'
import { subscriptions } from '../../api/operations/subscriptions.ts'
import { testClocks } from '../../api/operations/test-clocks.ts'
import type { Subscription } from '../../domain/subscriptions.ts'
import { type Scene, tolerant, unusable } from './trigger-scene.ts'

const MAX_WAITS = 20
const HALF_A_MONTH = { by: { interval: 'day', count: 15 } } as const
const DAY = 86_400

/** Gives a payment back. */
export function refund(scene: Scene, payment: string) {
  return scene.client.call(refunds.create, scene.edited('refund', { payment }))
}

/** Moves the clock of a subscription to the end of its period, or to its start. */
export async function renew(scene: Scene, subscription: Subscription): Promise<void> {
  const { id, status, current_period_end, start_date } = subscription
  if (status === 'canceled') {
    throw unusable(id, 'is canceled, which is final', 'another: paycli subscriptions list --status active')
  }
  await scene.advance(subscription, { frozen_time: current_period_end ?? start_date })
}

/** Sells a subscription that starts in a week, and moves its clock there. */
export async function startLater(scene: Scene): Promise<void> {
  const customer = await scene.customer({ isOnClock: true })
  const clock = await scene.client.call(testClocks.retrieve, { id: String(customer.test_clock) })
  const start_date = clock.frozen_time + 7 * DAY
  const session = await scene.checkoutOf(customer.id, { start_date })
  const subscription = await scene.completed(session, 'visa')
  await scene.advance(subscription, { frozen_time: start_date })
}

/** Lets the charge of a renewal fail until it is no longer retried. */
export async function exhaust(scene: Scene): Promise<void> {
  const subscription = await scene.sale({ card: 'renewal_no_funds', isOnClock: true })
  await renew(scene, subscription)
  for (let waits = 0; waits < MAX_WAITS; waits += 1) {
    const { status } = await scene.client.call(subscriptions.retrieve, { id: subscription.id })
    if (status !== 'past_due') return
    await scene.advance(subscription, HALF_A_MONTH)
  }
}

/** Voids an invoice while its payment waits for the buyer to authenticate. */
export async function cancelPayment(scene: Scene): Promise<unknown> {
  const customer = await scene.customer()
  const first = await scene.completed(await scene.checkoutOf(customer.id, {}), 'sca_required')
  const sent = { collection_method: 'send_invoice' } as const
  const second = await scene.completed(await scene.checkoutOf(customer.id, sent), undefined)
  const { id } = await scene.latestInvoice(second)
  const card = first.default_payment_method === null ? {} : { payment_method: first.default_payment_method }
  await tolerant(scene.client.call(invoices.pay, { id, ...card, off_session: false }))
  return scene.client.call(invoices.void, { id })
}

/** Metadata that differs from what was there: setting the same again would be no change, and so no event. */
export function counted({ triggers = '0' }: Readonly<Record<string, string>>): Record<string, string> {
  return { triggers: String(Number(triggers) + 1) }
}
