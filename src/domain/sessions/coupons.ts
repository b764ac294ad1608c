import { type Creation, type RuleContext, toCreation } from '../core/changes.ts'
import type { Unvalidated, ValidationError } from '../core/domain-error.ts'
import { createMetadata } from '../core/metadata.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { listUnixSecondsErrors } from '../time/unix-seconds.ts'

const DURATIONS = ['once', 'repeating', 'forever'] as const
/** The longest duration of a repeating discount, in months. */
const MAX_MONTHS = 120

/** The fields of a coupon that a discount copies, so that the discount outlives the coupon. */
export const couponTermsProperties = {
  name: s.nullable(s.text('The name that the customer sees; null if no name was given.')),
  percent_off: s.nullable(s.percentOff('The discount in percent; null if it is an amount.')),
  amount_off: s.nullable(s.amount('The discount as an amount; null if it is a percentage.')),
  duration: s.enumOf(
    DURATIONS,
    'The discounted invoices of a subscription: the first invoice with an amount (`once`), the invoices of `duration_in_months` (`repeating`), or all invoices (`forever`).',
  ),
}

/** The schema of a coupon. */
export const couponSchema = s.resourceObject(
  'coupon',
  'The terms of a discount on the invoices of a subscription.',
  {
    ...couponTermsProperties,
    currency: s.nullable(s.currencyCode('The currency of `amount_off`; null for a percentage.')),
    duration_in_months: s.nullable(
      s.integer(1, 'The months of a repeating discount; null for other durations.'),
    ),
    redeem_by: s.nullable(
      s.timestamp(
        'The last time at which the coupon can be redeemed, on the clock of the customer; null without a limit.',
      ),
    ),
    max_redemptions: s.nullable(s.integer(1, 'The largest number of redemptions; null without a limit.')),
    times_redeemed: s.integer(0, 'The number of redemptions, including redemptions with promotion codes.'),
    valid: s.boolean('Whether the coupon has redemptions left. `redeem_by` does not affect this value.'),
    metadata: s.metadata,
  },
)

export type Coupon = s.ValueOf<typeof couponSchema>

/** The schema of a deleted coupon, which can be retrieved by id but is not listed. */
export const deletedCouponSchema = s.deletedObject(
  'coupon',
  'A deleted coupon, which can be retrieved but is not listed.',
)

export type DeletedCoupon = s.ValueOf<typeof deletedCouponSchema>

/** The parameters of a new coupon. */
export const couponParams = p.shape(
  {},
  {
    id: p.code('Your own id of the coupon, such as SPRING-25 (default: generated).'),
    name: p.text(200, 'Name that the customer sees.'),
    percent_off: p.percentOff(
      'Discount in percent: over 0, up to 100, with at most two decimals. Excludes amount_off.',
    ),
    amount_off: p.amount(1, 'Discount in minor units of `currency`. Excludes percent_off.'),
    currency: p.currency('Currency of amount_off. Required with amount_off.'),
    duration: p.choice(
      DURATIONS,
      'Discounted invoices: the first invoice with an amount, the invoices of some months, or all invoices (default: once).',
    ),
    duration_in_months: p.integer(
      { min: 1, max: MAX_MONTHS },
      `Months of a repeating discount, 1 to ${MAX_MONTHS}. Required for this duration.`,
    ),
    redeem_by: p.timestamp('Last time of a redemption in Unix seconds (default: no limit).'),
    max_redemptions: p.integer({ min: 1 }, 'Largest number of redemptions (default: no limit).'),
    metadata: p.metadata(),
  },
)

export type CouponParams = s.ValueOf<typeof couponParams>

/** The parameters of an update of a coupon. */
export const couponUpdateParams = p.shape(
  { id: p.id('The id of the coupon.') },
  {
    name: s.nullable(p.text(200, 'Name that the customer sees.')),
    metadata: p.metadataUpdate(),
  },
)

/** Returns the validation errors of a new coupon that its schema cannot express. */
export function listCouponErrors(fields: Unvalidated<CouponParams>): ValidationError[] {
  const { percent_off, amount_off, currency, duration, duration_in_months: months, redeem_by } = fields
  const [isPercent, isAmount] = [percent_off !== undefined, amount_off !== undefined]
  const isRepeating = duration === 'repeating'
  const missing = (param: string, when: string, fix: string): ValidationError => ({
    code: 'parameter_missing',
    param,
    message: `Missing ${param}: ${when}. ${fix}`,
  })
  const exclusive = (param: string, why: string): ValidationError => ({
    code: 'parameters_exclusive',
    param,
    message: `Invalid ${param}: ${why}. Omit one of them.`,
  })
  return [
    ...(isPercent || isAmount
      ? []
      : [missing('percent_off', 'a coupon needs a discount', 'Give percent_off or amount_off.')]),
    ...(isPercent && isAmount
      ? [exclusive('amount_off', 'amount_off and percent_off exclude each other')]
      : []),
    ...(isAmount && currency === undefined
      ? [missing('currency', 'amount_off needs a currency', 'Give its ISO 4217 code, such as eur.')]
      : []),
    ...(isPercent && !isAmount && currency !== undefined
      ? [exclusive('currency', 'percent_off applies to every currency')]
      : []),
    ...(isRepeating && months === undefined
      ? [missing('duration_in_months', "duration 'repeating' needs it", `Give 1 to ${MAX_MONTHS} months.`)]
      : []),
    ...(!isRepeating && duration !== null && months !== undefined
      ? [exclusive('duration_in_months', "only the duration 'repeating' has months")]
      : []),
    ...listUnixSecondsErrors('redeem_by', redeem_by),
  ]
}

/** Creates a coupon. */
export function createCoupon(fields: CouponParams, context: RuleContext): Creation<Coupon> {
  return toCreation('coupon.created', {
    id: fields.id ?? context.newId('coup_'),
    object: 'coupon',
    created: context.now,
    livemode: false,
    name: fields.name ?? null,
    percent_off: fields.percent_off ?? null,
    amount_off: fields.amount_off ?? null,
    duration: fields.duration ?? 'once',
    currency: fields.currency ?? null,
    duration_in_months: fields.duration_in_months ?? null,
    redeem_by: fields.redeem_by ?? null,
    max_redemptions: fields.max_redemptions ?? null,
    times_redeemed: 0,
    valid: true,
    metadata: createMetadata(fields.metadata),
  })
}

/** Returns whether all redemptions of a coupon or promotion code are used. */
export function isExhausted({
  times_redeemed,
  max_redemptions,
}: Pick<Coupon, 'times_redeemed' | 'max_redemptions'>): boolean {
  return max_redemptions !== null && times_redeemed >= max_redemptions
}
