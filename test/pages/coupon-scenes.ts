import { createCoupon } from '../../src/domain/sessions/coupons.ts'
import { createPromotionCode } from '../../src/domain/sessions/promotion-codes.ts'
import { type Form, HostedPages, onCheckout, pathOf, type ServedPage } from './hosted-pages.ts'

type CouponParams = Parameters<typeof createCoupon>[0]

/** The parameter of a checkout session on whose page the customer can enter a promotion code. */
export const CODES_ALLOWED = { allow_promotion_codes: true }

/** Creates the promotion code SPRING-25 of a coupon (default: 25 % for three months). */
export async function createCode(hosted: HostedPages, fields: CouponParams = {}, code: object = {}) {
  const terms = { name: 'Spring offer', duration: 'repeating', duration_in_months: 3, ...fields } as const
  const percent = fields.amount_off === undefined ? { percent_off: 25 } : {}
  const coupon = await hosted.create((context) => createCoupon({ ...percent, ...terms }, context))
  return hosted.create((context) =>
    createPromotionCode({ coupon: coupon.id, code: 'SPRING-25', ...code }, null, context),
  )
}

/** Enters a promotion code on the page of a session. */
export async function enterCode(hosted: HostedPages, path: string, code: string): Promise<ServedPage> {
  const { body } = await hosted.get(path)
  const token = /name="form_token"[^>]* value="([^"]+)"/.exec(body)?.[1] ?? ''
  const form: Form = { form_token: token, code }
  return hosted.post(`${path}/promotion_code`, form)
}

async function renderApplied(fields: CouponParams = {}): Promise<ServedPage> {
  const hosted = new HostedPages()
  await createCode(hosted, fields)
  const path = pathOf(await hosted.checkout({}, CODES_ALLOWED))
  await enterCode(hosted, path, 'spring-25')
  return hosted.get(path)
}

/** The pages of checkout sessions with a promotion code. */
export const COUPON_SCENES: readonly (readonly [name: string, render: () => Promise<ServedPage>])[] = [
  ['coupon-entry', onCheckout((hosted, path) => hosted.get(path), {}, CODES_ALLOWED)],
  ['coupon-invalid', onCheckout((hosted, path) => enterCode(hosted, path, 'AUTUMN'), {}, CODES_ALLOWED)],
  ['coupon-applied', () => renderApplied()],
  ['coupon-free', () => renderApplied({ percent_off: 100, duration: 'once' })],
]
