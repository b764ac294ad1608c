import type { Page } from 'playwright-core'
import { api } from '../../../src/api/api.ts'
import type { Event } from '../../../src/domain/events.ts'
import type { TestDaemon } from '../../support/daemon.ts'

/** 2026-01-01T08:00:00Z */
export const START = 1_767_254_400
export const DAY = 86_400

/** A subscription of a customer of its own on the clock. */
interface SceneSubscription {
  readonly description: string
  readonly email: string
  /** The alias of a test card. */
  readonly card: string
  readonly amount: number
  readonly interval?: 'day' | 'week' | 'month' | 'year'
  readonly trial_days?: number
}

/** One subscription that pays, one whose renewals fail once, and one in a trial that will fail. */
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

/**
 * Answers `GET /v1/projections` of a clock with the events of a second clock of the same scene, which has advanced further, as
 * far as they are later than the first clock.
 */
export async function answerProjections(
  page: Page,
  { call, client }: TestDaemon,
  { clock, twin }: { readonly clock: string; readonly twin: string },
): Promise<void> {
  const events = await listEvents(client, twin)
  const [own, later] = [await subscriptionIds(client, clock), subscriptionsOf(events)]
  const text = later.reduce((all, id, index) => all.replaceAll(id, own[index] ?? id), JSON.stringify(events))
  const renamed: readonly Event[] = JSON.parse(text)
  await page.route(/\/v1\/projections\?/, async (route) => {
    const { frozen_time } = await call(api.testClocks.retrieve, { id: clock })
    const data = renamed
      .filter(({ created }) => created > frozen_time)
      .map(({ type, created, data: { object, previous_attributes } }) => ({
        ...{ object: 'projected_event', type, created },
        data: { object, ...(previous_attributes && { previous_attributes }) },
      }))
    const until = data.at(-1)?.created ?? frozen_time
    await route.fulfill({ json: { object: 'projection', from: frozen_time, until, data, has_more: false } })
  })
}

async function subscriptionIds(client: TestDaemon['client'], clock: string): Promise<string[]> {
  return subscriptionsOf(await listEvents(client, clock))
}

function subscriptionsOf(events: readonly Event[]): string[] {
  return events.filter(({ type }) => type === 'subscription.created').map(({ data }) => data.object.id)
}

/** Returns all events of a clock, oldest first. */
export async function listEvents(client: TestDaemon['client'], test_clock: string): Promise<Event[]> {
  const found: Event[] = []
  for (let hasMore = true; hasMore; ) {
    const after = found.at(-1)
    const page = await client.call(api.events.list, {
      ...{ test_clock, limit: 100 },
      ...(after && { starting_after: after.id }),
    })
    found.push(...page.data)
    hasMore = page.has_more
  }
  return found.toReversed()
}
