import fc from 'fast-check'
import type { Interval } from '../../../src/domain/time/periods.ts'
import {
  alias,
  DAY,
  HOUR,
  isApproved,
  item,
  lifetime,
  optionalPick,
  pick,
  rhythm,
  seconds,
} from './random-values.ts'
import type { Item } from './state.ts'
import {
  type ChangeStep,
  cardSteps,
  chargeSteps,
  itemSteps,
  pauseSteps,
  planSteps,
  type RandomTrial,
  trial,
  trialSteps,
} from './steps-changes.ts'

/** Terms of a random purchase. `start` is relative to its creation. */
export interface RandomOrder {
  readonly interval: Interval
  readonly count: number
  readonly start: number | null
  readonly items: readonly Item[]
  readonly daysUntilDue: number | null
  readonly currency: 'eur' | 'usd'
  /** A trial excludes a start. */
  readonly trial: RandomTrial | null
}

/** One operation for the model and the implementation. A `pick` selects one of the existing objects. */
export type Step =
  | ChangeStep
  | { readonly step: 'create clock'; readonly offset: number }
  | { readonly step: 'create customer'; readonly clock: number | null }
  | {
      readonly step: 'create session'
      readonly pick: number
      readonly order: RandomOrder | null
      readonly amount: number
      readonly saves: boolean
      readonly lifetime: number | null
    }
  | {
      readonly step: 'buy'
      readonly pick: number
      readonly alias: string
      readonly isApproved: boolean
      readonly order: RandomOrder
    }
  | {
      readonly step: 'complete'
      readonly pick: number
      readonly alias: string
      readonly isApproved: boolean
    }
  | { readonly step: 'submit'; readonly pick: number; readonly alias: string }
  | { readonly step: 'advance'; readonly pick: number; readonly seconds: number }
  | { readonly step: 'wait'; readonly seconds: number }
  | { readonly step: 'restart'; readonly seconds: number }
  | {
      readonly step: 'pay'
      readonly pick: number
      readonly card: number | null
      readonly how: 'off session' | 'on session' | 'out of band'
    }
  | { readonly step: 'finalize'; readonly pick: number; readonly isCollected: boolean }
  | { readonly step: 'cancel'; readonly pick: number; readonly prorates: boolean; readonly bills: boolean }
  | PickStep<'void' | 'write off' | 'detach'>
  | PickStep<'expire' | 'delete customer' | 'delete clock'>
  | { readonly step: 'answer session'; readonly pick: number; readonly isApproved: boolean }
  | { readonly step: 'answer invoice'; readonly pick: number; readonly isApproved: boolean }
  | { readonly step: 'refund'; readonly pick: number; readonly share: number }
  | { readonly step: 'choose'; readonly pick: number; readonly card: number | null }
  | {
      readonly step: 'update'
      readonly pick: number
      readonly endsWithPeriod: boolean | null
      readonly card: number | null | undefined
    }

/** Concurrent steps. Each lag delays one transaction by a number of microtask turns. */
export interface ConcurrentSteps {
  readonly steps: readonly Step[]
  readonly lags: readonly number[]
}

/** One type per step, so that they form a discriminated union. */
type PickStep<S extends string> = S extends string ? { readonly step: S; readonly pick: number } : never

const order: fc.Arbitrary<RandomOrder> = fc
  .tuple(
    rhythm,
    fc.record({
      start: fc.oneof(
        fc.constant(null),
        fc.integer({ min: -90, max: 60 }).map((days) => days * DAY),
        fc.integer({ min: -90 * DAY, max: 60 * DAY }),
      ),
      items: fc.array(item, { minLength: 1, maxLength: 3 }),
      daysUntilDue: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.constantFrom(0, 5, 30)),
      currency: fc.oneof({ weight: 4, arbitrary: fc.constant('eur' as const) }, fc.constant('usd' as const)),
      trial,
    }),
  )
  .map(([period, { start, ...rest }]) => ({ ...period, ...rest, start: rest.trial === null ? start : null }))

const step = <S extends Step['step'], F extends object>(
  name: S,
  fields: { [K in keyof F]: fc.Arbitrary<F[K]> },
) => fc.record({ step: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<Step>

const session = { pick, amount: fc.integer({ min: 1, max: 1_000_000 }), saves: fc.boolean(), lifetime }

/** All requests. Steps that create deadlines are more frequent. */
const requests: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: planSteps },
  { weight: 4, arbitrary: itemSteps },
  { weight: 6, arbitrary: trialSteps },
  { weight: 5, arbitrary: cardSteps },
  { weight: 4, arbitrary: chargeSteps },
  { weight: 4, arbitrary: pauseSteps },
  {
    weight: 1,
    arbitrary: step('create clock', {
      offset: fc.constantFrom(-400 * DAY, 0, 16 * DAY + 9 * HOUR, 45 * DAY),
    }),
  },
  { weight: 2, arbitrary: step('create customer', { clock: fc.option(pick, { freq: 4 }) }) },
  { weight: 12, arbitrary: step('buy', { pick, alias, isApproved, order }) },
  { weight: 4, arbitrary: step('create session', { ...session, order: fc.option(order, { freq: 2 }) }) },
  { weight: 3, arbitrary: step('complete', { pick, alias, isApproved }) },
  { weight: 6, arbitrary: step('submit', { pick, alias }) },
  { weight: 3, arbitrary: step('answer session', { pick, isApproved }) },
  { weight: 1, arbitrary: step('expire', { pick }) },
  { weight: 12, arbitrary: step('advance', { pick, seconds }) },
  {
    weight: 7,
    arbitrary: step('pay', {
      pick,
      card: optionalPick,
      how: fc.constantFrom('off session', 'on session', 'on session', 'out of band'),
    }),
  },
  { weight: 3, arbitrary: step('finalize', { pick, isCollected: fc.boolean() }) },
  { weight: 1, arbitrary: step('void', { pick }) },
  { weight: 1, arbitrary: step('write off', { pick }) },
  { weight: 2, arbitrary: step('detach', { pick }) },
  { weight: 1, arbitrary: step('cancel', { pick, prorates: fc.boolean(), bills: fc.boolean() }) },
  { weight: 1, arbitrary: step('delete customer', { pick }) },
  { weight: 4, arbitrary: step('answer invoice', { pick, isApproved }) },
  { weight: 3, arbitrary: step('refund', { pick, share: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: step('choose', { pick, card: optionalPick }) },
  {
    weight: 3,
    arbitrary: step('update', {
      pick,
      endsWithPeriod: fc.option(fc.boolean()),
      card: fc.option(fc.option(pick), { nil: undefined }),
    }),
  },
)

const single = (steps: fc.Arbitrary<Step>) =>
  steps.map((one): ConcurrentSteps => ({ steps: [one], lags: [] }))

/** Concurrent steps, which often pick the same objects. */
const concurrent: fc.Arbitrary<ConcurrentSteps> = fc.record({
  steps: fc.array(requests, { minLength: 2, maxLength: 6 }),
  lags: fc.array(fc.nat({ max: 12 }), { maxLength: 12 }),
})

/** Mostly single steps, sometimes concurrent ones or a restart, and rarely the deletion of a clock. */
export const randomSteps: fc.Arbitrary<ConcurrentSteps> = fc.oneof(
  { weight: 60, arbitrary: single(requests) },
  { weight: 6, arbitrary: single(step('wait', { seconds })) },
  {
    weight: 3,
    arbitrary: single(step('restart', { seconds: fc.oneof(fc.constant(0), seconds) })),
  },
  { weight: 12, arbitrary: concurrent },
  { weight: 1, arbitrary: single(step('delete clock', { pick })) },
)
