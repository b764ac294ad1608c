import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import type { ParamsOf } from '../../src/api/core/operation.ts'
import { chooseCard, timeOf } from './pick-records.ts'
import { act, optionalPick, type Performers, pick, type ValueOf } from './random-acts.ts'
import { DAY, type Sandbox, START } from './sandbox.ts'

type Terms = ParamsOf<typeof api.checkoutSessions.create>['subscription_data']

const settings = fc.record({
  missing_payment_method: fc.constantFrom('create_invoice', 'cancel', 'pause'),
})

const ends = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map((trial_days) => ({ trial_days })),
  fc.integer({ min: START + 3600, max: START + 60 * DAY }).map((trial_end) => ({ trial_end })),
)

/** Random trials of checkout sessions. */
export const trials: fc.Arbitrary<Pick<Terms, 'trial_days' | 'trial_end' | 'trial_settings'>> = fc
  .tuple(ends, fc.option(settings))
  .map(([end, trial_settings]) => ({ ...end, ...(trial_settings && { trial_settings }) }))

/**
 * Generates operations on trials and on subscriptions that are paused after a trial. The new end of a trial is in
 * seconds from now. `losesCard` first removes the default cards of the subscription and its customer.
 */
export const trialActs = fc.oneof(
  act('change trial', {
    pick,
    end: fc.oneof(
      fc.constant('now'),
      fc.integer({ min: 0, max: 5 * DAY }),
      fc.integer({ min: DAY, max: 50 * DAY }),
    ),
    losesCard: fc.boolean(),
  }),
  act('resume subscription', { pick, card: optionalPick }),
)

/** Changes a trial, or resumes a subscription. */
export const PERFORM_TRIAL: Performers<ValueOf<typeof trialActs>> = {
  'change trial': async (sandbox, { pick, end, losesCard }) => {
    const { id, customer, test_clock } = await subscriptionIn(sandbox, 'trialing', pick)
    const card = losesCard ? { default_payment_method: null } : {}
    if (losesCard) await sandbox.call(api.customers.update, { id: customer, ...card })
    const trial_end = end === 'now' ? end : (await timeOf(sandbox, { test_clock })) + end
    return sandbox.call(api.subscriptions.update, { id, trial_end, ...card })
  },
  'resume subscription': async (sandbox, { pick, card }) => {
    const { id, customer } = await subscriptionIn(sandbox, 'paused', pick)
    if (card !== null) await chooseCard(sandbox, customer, card)
    return sandbox.call(api.subscriptions.resume, { id })
  },
}

async function subscriptionIn({ store }: Sandbox, status: string, pick: number) {
  const { data } = await store.list('subscriptions', { where: { status }, limit: 100 })
  return data[pick % Math.max(1, data.length)] ?? { id: 'nobody', customer: 'nobody', test_clock: null }
}
