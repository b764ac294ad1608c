import { createHash } from 'node:crypto'
import {
  DECLINE_RATES,
  ONE_TIME_ACTIONS,
  type Population,
  type PopulationPlan,
  type RateName,
} from './population.ts'

/** The start of every simulation: 1 January 2026 in UTC, in Unix seconds. */
export const SIMULATION_START = getMonthStart(0)

/** Returns the start of a month of a simulation in Unix seconds; the first month has the index 0. */
export function getMonthStart(index: number): number {
  return Date.UTC(2026, index, 1) / 1000
}

/** The kind of an action. */
export type ActionType = 'sign_up' | 'new_card' | (typeof ONE_TIME_ACTIONS)[number]

/** An action of a customer; `at` is in Unix seconds, and `chance` from 0 to 1 selects a variant. */
export interface PlannedAction {
  readonly type: ActionType
  readonly at: number
  readonly chance: number
}

/** A customer with all actions, the sign-up first. */
export interface PlannedCustomer {
  readonly email: string
  readonly plan: PopulationPlan
  /** The alias of the test card. */
  readonly card: string
  /** The index of the coupon in the population, or null. */
  readonly coupon: number | null
  readonly actions: readonly PlannedAction[]
}

/** The size of a simulation. */
export interface SimulationSize {
  readonly seed: string
  readonly customers: number
  readonly months: number
}

const DAY = 86_400
/**
 * The times of the day at which actions happen, in seconds. Few times need few steps of the clock. The first and the
 * last time are near midnight, so that the months of local time and of UTC differ.
 */
const TIMES_OF_DAY = [1800, 28_800, 57_600, 84_600]
/** The times at which some customers sign up and pay: half an hour after and before the turn of a month in UTC. */
const MONTH_EDGES = [SIMULATION_START + 1800, getMonthStart(1) - 1800]
/** The share of customers who sign up at each time in MONTH_EDGES. */
const MONTH_EDGE_RATE = 0.03
/** The number of days after the first renewal in which a new card is entered: the last retry is 15 days after the decline. */
const NEW_CARD_DAYS = 8
const APPROXIMATE_DAYS = { day: 1, week: 7, month: 31, year: 365 }

/**
 * Returns the customers of a simulation. The result depends only on the arguments, and each random choice only on the seed,
 * the customer and the name of the choice.
 */
export function planCustomers(population: Population, options: SimulationSize): readonly PlannedCustomer[] {
  return Array.from({ length: options.customers }, (_, index) =>
    planCustomer(population, options, (name) => draw(`${options.seed} ${index} ${name}`), index + 1),
  )
}

function planCustomer(
  { plans, coupons = [], rates = {} }: Population,
  { months }: SimulationSize,
  chanceOf: (name: string) => number,
  number: number,
): PlannedCustomer {
  const has = (name: RateName) => chanceOf(name) < (rates[name] ?? 0)
  const timeOf = (name: string, from: number, days: number) =>
    from + Math.floor(chanceOf(`${name} day`) * days) * DAY + pick(TIMES_OF_DAY, chanceOf(`${name} time`))
  const plan = pickPlan(plans, chanceOf('plan'))
  const total = (getMonthStart(months) - SIMULATION_START) / DAY
  const [from, days] = has('late_signup') && total > 59 ? [28, total - 59] : [0, 28]
  const edge = MONTH_EDGES[Math.floor(chanceOf('month edge') / MONTH_EDGE_RATE)]
  const signUp = edge ?? timeOf('sign_up', SIMULATION_START + from * DAY, days)
  const nextDay = signUp - (signUp % DAY) + DAY
  const rest = Math.floor((getMonthStart(months) - nextDay) / DAY)
  const action = (type: ActionType, at: number): PlannedAction => ({
    ...{ type, at, chance: chanceOf(`${type} chance`) },
  })
  const decline = pickDecline(rates, chanceOf('decline'))
  const later = ONE_TIME_ACTIONS.filter(has).map((type) => action(type, timeOf(type, nextDay, rest)))
  const renewal =
    nextDay + (plan.trial_days ?? APPROXIMATE_DAYS[plan.interval] * (plan.interval_count ?? 1)) * DAY
  const newCard =
    decline === 'decline_new_card'
      ? [action('new_card', timeOf('new_card', renewal + DAY, NEW_CARD_DAYS))]
      : []
  return {
    email: `customer-${number}@example.com`,
    plan,
    card: decline === null ? 'visa' : decline === 'decline_retry' ? 'renewal_flaky' : 'renewal_no_funds',
    coupon:
      has('coupon') && coupons.length > 0 ? Math.floor(chanceOf('which coupon') * coupons.length) : null,
    actions: [action('sign_up', signUp), ...[...newCard, ...later].toSorted((a, b) => a.at - b.at)],
  }
}

function pickPlan(plans: readonly PopulationPlan[], chance: number): PopulationPlan {
  const weighted = plans.flatMap((plan) => Array.from({ length: plan.weight ?? 1 }, () => plan))
  return pick(weighted, chance)
}

function pickDecline(rates: NonNullable<Population['rates']>, chance: number) {
  let sum = 0
  for (const name of DECLINE_RATES) {
    sum += rates[name] ?? 0
    if (chance < sum) return name
  }
  return null
}

function pick<T>(values: readonly T[], chance: number): T {
  const value = values[Math.floor(chance * values.length)]
  if (value === undefined) throw new RangeError('Cannot pick a value: the list is empty.')
  return value
}

/** Returns a number from 0 to less than 1 that depends only on the text. */
function draw(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}
