import { api } from '../../../src/api/api.ts'
import type { TestDaemon } from '../../support/daemon.ts'
import { START } from './clock-scene.ts'

/** The client of a test server. */
export type Call = TestDaemon['call']

interface SubscriptionOptions {
  /** The test card (default: visa); null for a trial without a card. */
  readonly card?: string | null
  /** The length of a trial with a card (default: none). */
  readonly trial_days?: number
}

/** Creates a subscription on a test clock. */
export async function createSubscription(
  call: Call,
  { card = 'visa', trial_days }: SubscriptionOptions = {},
) {
  const { id: clock } = await call(api.testClocks.create, { frozen_time: START })
  const { id: customer } = await call(api.customers.create, { email: 'ada@example.com', test_clock: clock })
  const price_data = { amount: 1500, currency: 'eur', tax_percent: 0 }
  const trial = { trial_days: 1, trial_settings: { missing_payment_method: 'pause' } } as const
  const { id } = await call(api.checkoutSessions.create, {
    ...{ customer, currency: 'eur', description: 'Rent' },
    subscription_data: {
      ...{ interval: 'month', items: [{ description: 'Rent', type: 'rent', price_data }] },
      ...(card === null ? trial : {}),
      ...(trial_days === undefined ? {} : { trial_days }),
    },
    ...(card === null ? { payment_method_collection: 'if_required' as const } : {}),
  })
  await call(api.checkoutSessions.complete, { id, ...(card === null ? {} : { test_card: card }) })
  const { data } = await call(api.subscriptions.list, { customer })
  return { clock, customer, subscription: data[0]?.id ?? '' }
}

export const MONTH = { interval: 'month', count: 1 } as const

/** Creates an open invoice whose first charge was declined; the next charge succeeds. */
export async function createOpenInvoice(call: Call): Promise<string> {
  const { subscription, clock } = await createSubscription(call, { card: 'renewal_flaky' })
  await call(api.testClocks.advance, { id: clock, by: MONTH })
  const { data } = await call(api.invoices.list, { subscription, status: 'open' })
  return data[0]?.id ?? ''
}

/** Creates a paused subscription whose customer saved a card after the pause began. */
export async function createPaused(call: Call): Promise<string> {
  const { subscription, clock, customer } = await createSubscription(call, { card: null })
  await call(api.testClocks.advance, { id: clock, by: MONTH })
  const { id } = await call(api.cardSessions.create, { customer })
  await call(api.cardSessions.complete, { id, test_card: 'visa' })
  return subscription
}

/** Creates a succeeded payment of 15.00 EUR. */
export async function createPayment(call: Call): Promise<string> {
  const { customer } = await createSubscription(call)
  return (await call(api.payments.list, { customer })).data[0]?.id ?? ''
}
