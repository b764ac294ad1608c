import fc from 'fast-check'
import type { Interval } from '../../../src/domain/periods.ts'
import { MODEL_CARDS } from './cards.ts'

/** Terms of a random purchase. `start` is relative to its creation. */
export interface RandomOrder {
  readonly interval: Interval
  readonly count: number
  readonly start: number | null
  readonly items: readonly { readonly amount: number; readonly ppm: number }[]
  readonly daysUntilDue: number | null
}

/** One operation for the model and the implementation. A `pick` selects one of the existing objects. */
export type Step =
  | { readonly step: 'create clock'; readonly offset: number }
  | { readonly step: 'create customer'; readonly clock: number | null }
  | {
      readonly step: 'create session'
      readonly pick: number
      readonly order: RandomOrder | null
      readonly amount: number
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
  | {
      readonly step: 'pay'
      readonly pick: number
      readonly card: number | null
      readonly how: 'off session' | 'on session' | 'out of band'
    }
  | PickStep<'finalize' | 'void' | 'write off' | 'detach' | 'cancel'>
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

const HOUR = 3600
const DAY = 86_400
const pick = fc.nat({ max: 12 })
const optionalPick = fc.option(pick)

const rhythm = fc.oneof(
  intervalsOf('day', 5, 40),
  intervalsOf('week', 1, 6),
  { weight: 3, arbitrary: intervalsOf('month', 1, 4) },
  intervalsOf('year', 1, 2),
)

function intervalsOf(interval: Interval, min: number, max: number) {
  return fc.integer({ min, max }).map((count) => ({ interval, count }))
}

const item = fc.record({
  amount: fc.oneof(fc.constant(0), fc.nat({ max: 500 }), fc.nat({ max: 1_000_000_000 })),
  ppm: fc.oneof(fc.constant(0), fc.constantFrom(55_000, 200_000, 1_000_000), fc.nat({ max: 1_000_000 })),
})

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
    }),
  )
  .map(([period, rest]) => ({ ...period, ...rest }))

/** Mostly whole days, so that jobs fall due at the same time. */
const seconds = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map((days) => days * DAY),
  fc.integer({ min: 30, max: 130 }).map((days) => days * DAY),
  fc.integer({ min: 1, max: 40 * DAY }),
  fc.constantFrom(1, 3, HOUR, DAY, 365 * DAY),
)

const step = <S extends Step['step'], F extends object>(
  name: S,
  fields: { [K in keyof F]: fc.Arbitrary<F[K]> },
) => fc.record({ step: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<Step>

const alias = fc.constantFrom(...Object.keys(MODEL_CARDS))
const isApproved = fc.oneof(fc.constant(true), fc.boolean())

const lifetime = fc.option(fc.constantFrom(1800, HOUR, 5 * DAY, 70 * DAY))
const session = { pick, amount: fc.integer({ min: 1, max: 1_000_000 }), lifetime }

/** All requests. Steps that create deadlines are more frequent. */
const requests: fc.Arbitrary<Step> = fc.oneof(
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
  { weight: 3, arbitrary: step('finalize', { pick }) },
  { weight: 1, arbitrary: step('void', { pick }) },
  { weight: 1, arbitrary: step('write off', { pick }) },
  { weight: 2, arbitrary: step('detach', { pick }) },
  { weight: 1, arbitrary: step('cancel', { pick }) },
  { weight: 1, arbitrary: step('delete customer', { pick }) },
  { weight: 4, arbitrary: step('answer invoice', { pick, isApproved }) },
  { weight: 3, arbitrary: step('refund', { pick, share: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: step('choose', { pick, card: optionalPick }) },
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

/** Mostly single steps, sometimes concurrent ones, and rarely the deletion of a clock. */
export const randomSteps: fc.Arbitrary<ConcurrentSteps> = fc.oneof(
  { weight: 60, arbitrary: single(requests) },
  { weight: 6, arbitrary: single(step('wait', { seconds })) },
  { weight: 12, arbitrary: concurrent },
  { weight: 1, arbitrary: single(step('delete clock', { pick })) },
)
