import { api } from '../../../src/api/api.ts'
import type { TestDaemon } from '../../support/daemon.ts'

/** 2026-01-01T08:00:00Z */
export const START = 1_767_254_400
export const DAY = 86_400

/** A subscription on the clock, with a separate customer. */
interface SceneSubscription {
  readonly description: string
  readonly email: string
  /** The alias of a test card. */
  readonly card: string
  readonly amount: number
  readonly interval?: 'day' | 'week' | 'month' | 'year'
  readonly trial_days?: number
}

/** One subscription that pays, one whose renewals fail once, and one in a trial whose first charge will fail. */
export const THREE_SUBSCRIPTIONS: readonly SceneSubscription[] = [
  { description: 'Team plan', email: 'ada@example.com', card: 'visa', amount: 4900 },
  { description: 'Pro plan', email: 'grace@example.com', card: 'renewal_flaky', amount: 1200 },
  {
    ...{ description: 'Trial plan', email: 'linus@example.com', card: 'renewal_no_funds', amount: 900 },
    trial_days: 14,
  },
]

interface SceneOptions {
  readonly name?: string
  readonly subscriptions?: readonly SceneSubscription[]
}

/** Creates a clock at `START` with subscriptions; resolves with its id. */
export async function openClockScene(
  { call }: TestDaemon,
  { name = 'A year of plans', subscriptions = THREE_SUBSCRIPTIONS }: SceneOptions = {},
): Promise<string> {
  const clock = await call(api.testClocks.create, { frozen_time: START, name })
  for (const { description, email, card, amount, interval = 'month', trial_days } of subscriptions) {
    const customer = await call(api.customers.create, { email, test_clock: clock.id })
    const { id } = await call(api.checkoutSessions.create, {
      customer: customer.id,
      currency: 'eur',
      subscription_data: {
        interval,
        items: [{ description, type: 'plan', price_data: { amount } }],
        ...(trial_days === undefined ? {} : { trial_days }),
      },
    })
    await call(api.checkoutSessions.complete, { id, test_card: card })
  }
  return clock.id
}
