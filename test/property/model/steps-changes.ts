import fc from 'fast-check'
import type { PlanChange } from './changes.ts'
import {
  alias,
  DAY,
  HOUR,
  isApproved,
  lifetime,
  optionalPick,
  pick,
  ppm,
  quantity,
  rhythm,
  seconds,
} from './random-values.ts'
import type { CardUse, Item, MissingCardPolicy, Pause, TrialOffer } from './state.ts'

/** A trial of a random purchase. `end` is relative to its creation. */
export interface RandomTrial {
  readonly days: number | null
  readonly end: number
  readonly asksCard: boolean
  readonly withoutCard: MissingCardPolicy
}

/** A random change of an item. A null `pick` adds one. */
export interface RandomEdit {
  readonly pick: number | null
  readonly price: Partial<Item> | 'deleted'
}

/** Steps of subscriptions, invoice items, saved cards and card sessions. */
export type ChangeStep =
  | {
      readonly step: 'pause'
      readonly pick: number
      readonly behavior: Pause['behavior'] | null
      readonly seconds: number | null
    }
  | { readonly step: 'move trial end'; readonly pick: number; readonly seconds: number | null }
  | { readonly step: 'resume'; readonly pick: number }
  | {
      readonly step: 'change plan'
      readonly pick: number
      readonly edits: readonly RandomEdit[]
      readonly rhythm: PlanChange['rhythm']
      readonly startsNow: boolean
      readonly behavior: PlanChange['behavior']
      /** The proration date as a share of the time since the start of the period; null for now. */
      readonly share: number | null
      readonly isStrict: boolean
    }
  | { readonly step: 'preview'; readonly change: Extract<ChangeStep, { step: 'change plan' }> }
  | ({ readonly step: 'create item'; readonly pick: number } & Item)
  | { readonly step: 'delete item'; readonly pick: number }
  | {
      readonly step: 'create card session'
      readonly pick: number
      readonly for: CardUse['for']
      readonly pays: boolean
      readonly lifetime: number | null
    }
  | {
      readonly step: 'charge card'
      readonly pick: number
      readonly card: number | null
      readonly amount: number
      readonly isOffSession: boolean
    }
  | { readonly step: 'cancel payment'; readonly pick: number }
  | { readonly step: 'answer payment'; readonly pick: number; readonly isApproved: boolean }
  | {
      readonly step: 'pay as customer'
      readonly pick: number
      readonly alias: string
      readonly keeps: boolean
      readonly isApproved: boolean
    }

/** A pause is more frequent, because only a later resumption ends it. */
const withoutCard = fc.constantFrom<MissingCardPolicy>('create_invoice', 'cancel', 'pause', 'pause')

/** A trial; most orders have none. */
export const trial: fc.Arbitrary<RandomTrial | null> = fc.option(
  fc.record({
    days: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 3 }),
    end: fc.constantFrom(1, 3 * HOUR, 2 * DAY, 3 * DAY, 14 * DAY, 30 * DAY),
    asksCard: fc.boolean(),
    withoutCard,
  }),
  { freq: 3 },
)

const price: fc.Arbitrary<Partial<Item>> = fc.oneof(
  fc.record({ quantity: fc.nat({ max: 9 }) }),
  fc.record({ unit: fc.nat({ max: 1_000_000 }), ppm }),
  fc.record({ unit: fc.nat({ max: 1_000_000 }), ppm, quantity }),
)

const edit: fc.Arbitrary<RandomEdit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ pick, price }) },
  { weight: 1, arbitrary: fc.record({ pick, price: fc.constant('deleted' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      pick: fc.constant(null),
      price: fc.record({ unit: fc.nat({ max: 1_000_000 }), ppm, quantity }),
    }),
  },
)

const behavior = fc.constantFrom('create_prorations' as const, 'always_invoice' as const, 'none' as const)

const change = step('change plan', {
  pick,
  edits: fc.array(edit, { maxLength: 2 }),
  rhythm: fc.option(rhythm, { freq: 2 }),
  startsNow: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, fc.constant(true)),
  behavior,
  share: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 2 }),
  isStrict: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
})

/** Pauses and resumptions of collection. */
export const pauseSteps = step('pause', {
  pick,
  behavior: fc.option(fc.constantFrom<Pause['behavior']>('keep_as_draft', 'mark_uncollectible', 'void')),
  seconds: fc.option(seconds),
})

/** Changes of trials. */
export const trialSteps = fc.oneof(
  { weight: 1, arbitrary: step('move trial end', { pick, seconds: fc.option(seconds) }) },
  { weight: 2, arbitrary: step('resume', { pick }) },
)

/** Plan changes and previews. */
export const planSteps = fc.oneof(
  { weight: 4, arbitrary: change },
  { weight: 1, arbitrary: change.map((one) => ({ step: 'preview', change: one }) as ChangeStep) },
)

/** Invoice items. */
export const itemSteps = fc.oneof(
  {
    weight: 3,
    arbitrary: step('create item', {
      pick,
      unit: fc.integer({ min: -1_000_000, max: 1_000_000 }),
      quantity,
      ppm,
    }),
  },
  { weight: 1, arbitrary: step('delete item', { pick }) },
)

/** Updates of cards. */
export const cardSteps = fc.oneof(
  step('create card session', {
    pick,
    for: fc.constantFrom<CardUse['for']>('all', 'customer', 'subscription'),
    pays: isApproved,
    lifetime,
  }),
  step('pay as customer', { pick, alias, keeps: fc.boolean(), isApproved }),
)

/** Payments with saved cards. */
export const chargeSteps = fc.oneof(
  {
    weight: 3,
    arbitrary: step('charge card', {
      pick,
      card: optionalPick,
      amount: fc.integer({ min: 1, max: 1_000_000 }),
      isOffSession: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: step('cancel payment', { pick }) },
  { weight: 2, arbitrary: step('answer payment', { pick, isApproved }) },
)

function step<S extends ChangeStep['step'], F extends object>(
  name: S,
  fields: { [K in keyof F]: fc.Arbitrary<F[K]> },
): fc.Arbitrary<Extract<ChangeStep, { step: S }>> {
  return fc.record({ step: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<
    Extract<ChangeStep, { step: S }>
  >
}

/** Returns the trial of a session that is created now. */
export function trialOfferAt(trial: RandomTrial | null, now: number): TrialOffer | null {
  if (trial === null) return null
  const { days, end, asksCard, withoutCard } = trial
  return { days, end: days === null ? now + end : null, asksCard, withoutCard }
}
