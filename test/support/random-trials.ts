import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import type { ParamsOf } from '../../src/api/core/operation.ts'
import { isDeletedClock } from '../../src/domain/time/test-clocks.ts'
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

/** One random operation on a trial or on a subscription that is paused after one. */
export type TrialAct =
  | {
      readonly act: 'change trial'
      readonly pick: number
      readonly end: 'now' | number
      /** Whether the subscription and its customer lose their default cards before. */
      readonly losesCard: boolean
    }
  | { readonly act: 'resume subscription'; readonly pick: number; readonly card: number | null }

const pick = fc.nat({ max: 9 })

/** Generates operations on trials. The new end of a trial is in seconds from now. */
export const trialActs: fc.Arbitrary<TrialAct> = fc.oneof(
  fc.record({
    act: fc.constant('change trial' as const),
    pick,
    end: fc.oneof(
      fc.constant('now' as const),
      fc.integer({ min: 0, max: 5 * DAY }),
      fc.integer({ min: DAY, max: 50 * DAY }),
    ),
    losesCard: fc.boolean(),
  }),
  fc.record({ act: fc.constant('resume subscription' as const), pick, card: fc.option(pick) }),
)

/** Performs one operation on a trial; throws the domain error of a rejected one. */
export async function performTrial(sandbox: Sandbox, act: TrialAct): Promise<void> {
  const isChange = act.act === 'change trial'
  const where = { status: isChange ? 'trialing' : 'paused' }
  const { data } = await sandbox.store.list('subscriptions', { where, limit: 100 })
  const { id, customer, test_clock } = data[act.pick % Math.max(1, data.length)] ?? NOBODY
  if (!isChange) {
    if (act.card !== null) await chooseCard(sandbox, customer, act.card)
    await sandbox.call(api.subscriptions.resume, { id })
    return
  }
  const card = act.losesCard ? { default_payment_method: null } : {}
  if (act.losesCard) await sandbox.call(api.customers.update, { id: customer, ...card })
  const trial_end = act.end === 'now' ? 'now' : (await timeOf(sandbox, test_clock)) + act.end
  await sandbox.call(api.subscriptions.update, { id, trial_end, ...card })
}

const NOBODY = { id: 'nobody', customer: 'nobody', test_clock: null }

async function chooseCard(sandbox: Sandbox, customer: string, pick: number): Promise<void> {
  const { data } = await sandbox.store.list('payment_methods', { where: { customer }, limit: 100 })
  const default_payment_method = data[pick % Math.max(1, data.length)]?.id ?? null
  await sandbox.call(api.customers.update, { id: customer, default_payment_method })
}

async function timeOf(sandbox: Sandbox, testClock: string | null): Promise<number> {
  const clock = testClock === null ? null : await sandbox.store.get('test_clocks', testClock)
  return clock === null || isDeletedClock(clock) ? sandbox.now() : clock.frozen_time
}
