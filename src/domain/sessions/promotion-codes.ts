import { type Change, type Creation, type RuleContext, toCreation, toRemoval } from '../core/changes.ts'
import { DomainError, type Unvalidated, type ValidationError } from '../core/domain-error.ts'
import { createMetadata, updateFields } from '../core/metadata.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { listUnixSecondsErrors } from '../time/unix-seconds.ts'

/** The schema of a promotion code. */
export const promotionCodeSchema = s.resourceObject(
  'promotion_code',
  'A code that customers enter on the checkout page to redeem a coupon.',
  {
    coupon: s.id('The coupon that the code redeems.'),
    code: s.text('The case-insensitive text that customers enter.'),
    active: s.boolean('Whether customers can enter the code.'),
    max_redemptions: s.nullable(
      s.integer(1, 'The largest number of redemptions with this code; null without a limit.'),
    ),
    times_redeemed: s.integer(0, 'The number of redemptions with this code.'),
    expires_at: s.nullable(
      s.timestamp(
        'Time from which the code can no longer be redeemed, on the clock of the customer; null without a limit.',
      ),
    ),
    first_time_only: s.boolean(
      'Whether only customers without a subscription or a payment can redeem the code.',
    ),
    metadata: s.metadata,
  },
)

export type PromotionCode = s.ValueOf<typeof promotionCodeSchema>

/** The parameters of a new promotion code. */
export const promotionCodeParams = p.shape(
  { coupon: p.id('Coupon that the code redeems.') },
  {
    code: p.code('Text that customers enter, unique among active codes (default: generated).'),
    max_redemptions: p.integer(
      { min: 1 },
      'Largest number of redemptions with this code (default: no limit).',
    ),
    expires_at: p.timestamp('End of the redemptions in Unix seconds (default: no limit).'),
    first_time_only: p.boolean('Only for customers without a subscription or a payment (default: false).'),
    metadata: p.metadata(),
  },
)

export type PromotionCodeParams = s.ValueOf<typeof promotionCodeParams>

/** The parameters of an update of a promotion code. */
export const promotionCodeUpdateParams = p.shape(
  { id: p.id('The id of the promotion code.') },
  { active: p.boolean('Whether customers can enter the code.'), metadata: p.metadataUpdate() },
)

/** Internal record: the promotion code that the customer entered on the page of an open session, with its id. */
export interface EnteredPromotionCode {
  readonly id: string
  readonly object: 'entered_code'
  readonly promotion_code: string
}

/** Records the promotion code that a customer entered; replaces an earlier code. */
export function recordEnteredPromotionCode(
  session: string,
  { id }: PromotionCode,
): Change<EnteredPromotionCode> {
  return toCreation<EnteredPromotionCode>(null, {
    id: session,
    object: 'entered_code',
    promotion_code: id,
  })
}

/** Removes the promotion code that a customer entered in a session that ends; returns an empty list without a code. */
export function removeEnteredPromotionCode(entered: EnteredPromotionCode | null): Change[] {
  return entered === null ? [] : [toRemoval(entered)]
}

const GENERATED_CHARACTERS = 8

/** Returns the normalized form of a promotion code, which comparisons use. */
export function normalizeCode(code: string): string {
  return code.toUpperCase()
}

/** Returns the validation errors of a new promotion code that its schema cannot express. */
export function listPromotionCodeErrors({ expires_at }: Unvalidated<PromotionCodeParams>): ValidationError[] {
  return listUnixSecondsErrors('expires_at', expires_at)
}

/** Creates an active promotion code; throws when another active code has the same text. */
export function createPromotionCode(
  fields: PromotionCodeParams,
  active: PromotionCode | null,
  context: RuleContext,
): Creation<PromotionCode> {
  requireUniqueCode(active)
  const id = context.newId('promo_')
  return toCreation('promotion_code.created', {
    id,
    object: 'promotion_code',
    created: context.now,
    livemode: false,
    coupon: fields.coupon,
    code: fields.code ?? normalizeCode(id.slice(-GENERATED_CHARACTERS)),
    active: true,
    max_redemptions: fields.max_redemptions ?? null,
    times_redeemed: 0,
    expires_at: fields.expires_at ?? null,
    first_time_only: fields.first_time_only ?? false,
    metadata: createMetadata(fields.metadata),
  })
}

/** Returns the promotion code with the given fields updated, and the change; returns no change if no field differs. */
export function updatePromotionCode(
  promotionCode: PromotionCode,
  fields: Omit<s.ValueOf<typeof promotionCodeUpdateParams>, 'id'>,
  active: PromotionCode | null,
): ReturnType<typeof updateFields<PromotionCode>> {
  if (fields.active === true && active?.id !== promotionCode.id) requireUniqueCode(active)
  return updateFields('promotion_code.updated', promotionCode, fields)
}

function requireUniqueCode(active: PromotionCode | null): void {
  if (active === null) return
  throw new DomainError(
    'promotion_code_exists',
    `Code '${active.code}' is already active as '${active.id}'. Deactivate that code first, or use another code.`,
    { param: 'code' },
  )
}
