import { checkAgainstSchema, combineErrors } from '../../api/schema/validate.ts'
import * as p from '../../domain/core/params.ts'
import type { Schema, ValueOf } from '../../domain/core/schema.ts'
import { itemParams } from '../../domain/sessions/billing-terms.ts'
import { UsageError } from '../errors/usage-error.ts'
import { readJsonObject } from '../parse/input-file.ts'

/** The actions that happen at most once in the life of a customer, with the rate of the same name. */
export const ONE_TIME_ACTIONS = [
  ...(['upgrade', 'downgrade', 'pause', 'partial_refund', 'full_refund', 'dispute'] as const),
  ...(['duplicate_delivery', 'cancel_at_period_end', 'cancel_now'] as const),
]
/** The rates of customers with declined renewals. A customer has one card, so at most one of the rates applies. */
export const DECLINE_RATES = ['decline_retry', 'decline_new_card', 'decline_exhausted'] as const
const RATES = ['late_signup', 'coupon', ...DECLINE_RATES, ...ONE_TIME_ACTIONS] as const

/** The name of a rate. */
export type RateName = (typeof RATES)[number]

const RATE: Schema<number> = { type: 'number', minimum: 0, maximum: 1, description: 'Share of customers.' }
const rates = Object.fromEntries(RATES.map((name) => [name, RATE])) as Record<RateName, Schema<number>>

const PLAN = p.shape(
  {
    currency: p.currency('Currency of the plan.'),
    interval: p.choice(['day', 'week', 'month', 'year'], 'Unit of the billing period.'),
    items: p.list(itemParams, 20, 'Items billed each period.'),
  },
  {
    interval_count: p.integer({ min: 1 }, 'Number of intervals per billing period.'),
    trial_days: p.integer({ min: 1, max: 730 }, 'Length of a free trial in days.'),
    weight: p.integer({ min: 1, max: 1000 }, 'Share of customers, relative to the other plans (default: 1).'),
  },
)
const COUPON = p.shape(
  { percent_off: p.integer({ min: 1, max: 100 }, 'Discount in percent.') },
  { duration_in_months: p.integer({ min: 1, max: 120 }, 'Months of the discount (default: forever).') },
)
const POPULATION = p.shape(
  { plans: p.list(PLAN, 50, 'Plans, of which each customer gets one.') },
  {
    coupons: p.list(COUPON, 10, 'Coupons, of which a customer uses at most one.'),
    rates: p.shape({}, rates),
  },
)

/** The plans, coupons and rates from which the customers of a simulation are generated. */
export type Population = ValueOf<typeof POPULATION>
/** A plan of a population. */
export type PopulationPlan = Population['plans'][number]

const item = (description: string, amount: number, tax_percent = 0, quantity = 1) => ({
  description,
  price_data: { amount, tax_percent },
  quantity,
})

const COMMON_RATES = {
  ...{ late_signup: 0.4, decline_retry: 0.06, decline_new_card: 0.04, decline_exhausted: 0.02 },
  ...{ partial_refund: 0.05, full_refund: 0.03, cancel_now: 0.04, cancel_at_period_end: 0.1 },
  ...{ dispute: 0.02, duplicate_delivery: 0.05 },
}

/** The populations that `--preset` selects. */
export const POPULATION_PRESETS: Readonly<Record<'saas' | 'rent' | 'donations', Population>> = {
  saas: {
    plans: [
      {
        ...{ currency: 'eur', interval: 'month', trial_days: 14, weight: 4 },
        items: [item('Basic', 999, 19)],
      },
      {
        ...{ currency: 'usd', interval: 'month', weight: 3 },
        items: [item('Team seat', 1299, 8.875, 3), item('Storage', 499, 8.875)],
      },
      { ...{ currency: 'jpy', interval: 'month', weight: 2 }, items: [item('Pro', 1480, 10)] },
      { ...{ currency: 'eur', interval: 'year', weight: 1 }, items: [item('Basic, yearly', 9900, 19)] },
    ],
    coupons: [{ percent_off: 25, duration_in_months: 3 }, { percent_off: 10 }],
    rates: { ...COMMON_RATES, coupon: 0.15, upgrade: 0.12, downgrade: 0.06, pause: 0.04 },
  },
  rent: {
    plans: [
      {
        ...{ currency: 'eur', interval: 'month', weight: 3 },
        items: [item('Rent', 85000), item('Parking', 4900, 19)],
      },
      { currency: 'chf', interval: 'month', weight: 1, items: [item('Rent', 142000)] },
    ],
    rates: { ...COMMON_RATES, late_signup: 0.1, upgrade: 0.05, cancel_now: 0.01 },
  },
  donations: {
    plans: [
      { currency: 'eur', interval: 'month', weight: 5, items: [item('Donation', 1000)] },
      { currency: 'usd', interval: 'month', weight: 3, items: [item('Donation', 2500)] },
      { currency: 'jpy', interval: 'year', weight: 1, items: [item('Donation', 12000)] },
    ],
    rates: { ...COMMON_RATES, upgrade: 0.1, downgrade: 0.1, pause: 0.1, dispute: 0 },
  },
}

const SHAPE =
  'Write {"plans":[{"currency":"eur","interval":"month","items":[{"description":"Basic","price_data":{"amount":999}}]}],"rates":{"upgrade":0.1}}'

/** Reads a population file. */
export async function readPopulation(file: string): Promise<Population> {
  return parsePopulation(file, await readJsonObject(file, { param: 'population', hint: SHAPE }))
}

/** Returns the population in a file; `file` names it in errors. */
export function parsePopulation(file: string, value: unknown): Population {
  const { valid, errors } = checkAgainstSchema(value, POPULATION)
  const declined = DECLINE_RATES.reduce((sum, name) => sum + (valid?.rates?.[name] ?? 0), 0)
  const problem =
    valid === null
      ? combineErrors(errors, POPULATION).message
      : declined > 1
        ? `The rates ${DECLINE_RATES.join(', ')} add up to ${declined}: expected at most 1, because a customer has one card.`
        : null
  if (valid !== null && problem === null) return valid
  const message = `'${file}' is not a valid population. ${problem}`
  throw new UsageError('file_invalid', message, { param: 'population', hint: SHAPE })
}
