import * as p from '../../domain/core/params.ts'
import {
  createPromotionCode,
  listPromotionCodeErrors,
  promotionCodeParams,
  promotionCodeSchema,
  promotionCodeUpdateParams,
  updatePromotionCode,
} from '../../domain/sessions/promotion-codes.ts'
import { findActivePromotionCode } from '../../engine/load-redemption.ts'
import { REAL_TIME } from '../../engine/time-reference.ts'
import { defineListOperation } from '../core/lists.ts'
import { createChangeDecision, defineWriteOperation } from '../core/operation.ts'
import { defineRetrieveOperation, requireById, requireUndeleted } from '../core/retrieve.ts'
import { EXAMPLE_IDS } from './example-requests.ts'

/** Operations on promotion codes, with which customers redeem a coupon. */
export const promotionCodes = {
  create: defineWriteOperation({
    path: '/v1/promotion_codes',
    summary: 'Creates a promotion code.',
    description:
      'Customers enter its `code` on the page of a checkout session with `allow_promotion_codes`. Several codes can redeem one coupon. Codes are case-insensitive.',
    params: promotionCodeParams,
    response: promotionCodeSchema,
    example: { coupon: EXAMPLE_IDS.coupons, code: 'SPRING-25' },
    validate: (params) => listPromotionCodeErrors(params),
    load: async (reader, { coupon, code }) => {
      await requireUndeleted(reader, 'coupons', coupon, 'coupon')
      return code === undefined ? null : findActivePromotionCode(reader, code)
    },
    when: () => REAL_TIME,
    decide: (active, params, context) => createChangeDecision(createPromotionCode(params, active, context)),
  }),

  list: defineListOperation('promotion_codes', promotionCodeSchema, {
    description: 'Filter by coupon, by exact code or by creation time.',
    filters: {
      coupon: p.id('Only codes of this coupon.'),
      code: p.code('Only the promotion code with exactly this code.'),
    },
  }),

  retrieve: defineRetrieveOperation('promotion_codes', promotionCodeSchema, {
    description: '`times_redeemed` counts the completed sessions that used this code.',
  }),

  update: defineWriteOperation({
    path: '/v1/promotion_codes/:id',
    summary: 'Activates or deactivates a promotion code, or updates its metadata.',
    description:
      'A deactivated code cannot be redeemed, not even in open sessions. Running discounts continue.',
    params: promotionCodeUpdateParams,
    response: promotionCodeSchema,
    example: { active: false },
    load: async (reader, { id }) => {
      const promotionCode = await requireById(reader, 'promotion_codes', id)
      return { promotionCode, active: await findActivePromotionCode(reader, promotionCode.code) }
    },
    when: () => REAL_TIME,
    decide: ({ promotionCode, active }, { id: _id, ...fields }) =>
      updatePromotionCode(promotionCode, fields, active),
  }),
}
