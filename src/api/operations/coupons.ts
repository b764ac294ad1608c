import { toDeletion } from '../../domain/core/changes.ts'
import { DomainError } from '../../domain/core/domain-error.ts'
import { updateFields } from '../../domain/core/metadata.ts'
import { anyOf } from '../../domain/core/schema.ts'
import {
  couponParams,
  couponSchema,
  couponUpdateParams,
  createCoupon,
  deletedCouponSchema,
  listCouponErrors,
} from '../../domain/sessions/coupons.ts'
import { REAL_TIME } from '../../engine/time-reference.ts'
import { defineListOperation } from '../core/lists.ts'
import { createChangeDecision, defineWriteOperation } from '../core/operation.ts'
import { defineRetrieveOperation, idParams, requireUndeleted } from '../core/retrieve.ts'

/** Operations on coupons. */
export const coupons = {
  create: defineWriteOperation({
    path: '/v1/coupons',
    summary: 'Creates a coupon.',
    description:
      'Give `percent_off`, or `amount_off` with `currency`. The terms cannot be changed later. Use the coupon in `discounts` of a checkout session or in `discount` of a subscription, or create promotion codes that customers enter. The discount is subtracted before tax and is never larger than the price.',
    params: couponParams,
    response: couponSchema,
    example: { name: 'Spring offer', percent_off: 25, duration: 'repeating', duration_in_months: 3 },
    validate: (params) => listCouponErrors(params),
    load: async (reader, { id }) => {
      if (id !== undefined && (await reader.get('coupons', id)) !== null) throw existsError(id)
      return null
    },
    when: () => REAL_TIME,
    decide: (_loaded, params, context) => createChangeDecision(createCoupon(params, context)),
  }),

  list: defineListOperation('coupons', couponSchema, {
    description: 'Returns coupons that are not deleted. Filter by creation time.',
    filters: {},
  }),

  retrieve: defineRetrieveOperation('coupons', anyOf(couponSchema, deletedCouponSchema), {
    description: 'For a deleted coupon, the response has only `id`, `object` and `deleted: true`.',
  }),

  update: defineWriteOperation({
    path: '/v1/coupons/:id',
    summary: 'Updates the name and the metadata of a coupon.',
    description: 'Running discounts keep the name that they were created with.',
    nulls: 'unset',
    params: couponUpdateParams,
    response: couponSchema,
    example: { name: 'Spring offer' },
    load: (reader, { id }) => requireUndeleted(reader, 'coupons', id),
    when: () => REAL_TIME,
    decide: (coupon, fields) => updateFields('coupon.updated', coupon, fields),
  }),

  delete: defineWriteOperation({
    method: 'DELETE',
    path: '/v1/coupons/:id',
    summary: 'Deletes a coupon.',
    description:
      'The coupon can no longer be redeemed, not even with its promotion codes or in open sessions. Running discounts of subscriptions continue. The id cannot be used again.',
    params: idParams,
    response: deletedCouponSchema,
    load: (reader, { id }) => requireUndeleted(reader, 'coupons', id),
    when: () => REAL_TIME,
    decide: (coupon) => createChangeDecision(toDeletion(coupon)),
  }),
}

function existsError(id: string): DomainError {
  return new DomainError(
    'coupon_exists',
    `Coupon '${id}' exists, or existed before it was deleted. Use another id, or omit it.`,
    { param: 'id' },
  )
}
