import type { CompletableSession } from '../domain/completion/hosted-session.ts'
import type { SessionCompletionRecords } from '../domain/completion/session-submission.ts'
import { DomainError } from '../domain/core/domain-error.ts'
import type { Redemption } from '../domain/sessions/discounts.ts'
import { normalizeCode, type PromotionCode } from '../domain/sessions/promotion-codes.ts'
import type { StoreReader } from '../store/port/store.ts'
import { findEnteredPromotionCode, loadReferencedRecord } from './load-related.ts'

/** Loads the active promotion code with a text, which is case-insensitive; null for an unknown code. */
export async function findActivePromotionCode(
  reader: StoreReader,
  code: string,
): Promise<PromotionCode | null> {
  const where = { active_code: normalizeCode(code) }
  return (await reader.list('promotion_codes', { where, limit: 1 })).data[0] ?? null
}

/** Loads the coupon and the promotion code that a customer redeems. */
export async function loadPromotionCodeRedemption(
  reader: StoreReader,
  promotionCode: PromotionCode,
  customer: string,
): Promise<Redemption> {
  const coupon = await loadReferencedRecord(reader, 'coupons', promotionCode.coupon)
  if (!promotionCode.first_time_only) return { coupon, promotionCode }
  return { coupon, promotionCode, isFirstPurchase: await isFirstPurchase(reader, customer) }
}

async function isFirstPurchase(reader: StoreReader, customer: string): Promise<boolean> {
  const subscriptions = await reader.list('subscriptions', { where: { customer }, limit: 1 })
  const payments = await reader.list('payments', { where: { customer, status: 'succeeded' }, limit: 1 })
  return subscriptions.data.length === 0 && payments.data.length === 0
}

/** Loads the redemption of a completed session: its discount, or the promotion code that its customer entered. */
export async function loadSessionRedemption(
  reader: StoreReader,
  session: CompletableSession,
): Promise<Pick<SessionCompletionRecords, 'redemption' | 'enteredCode'>> {
  const none = { redemption: null, enteredCode: null }
  if (session.object !== 'checkout_session') return none
  const [given] = session.discounts
  if (given?.promotion_code === null) {
    const coupon = await loadReferencedRecord(reader, 'coupons', given.coupon)
    return { redemption: { coupon, promotionCode: null }, enteredCode: null }
  }
  const enteredCode = await findEnteredPromotionCode(reader, session)
  const id = given?.promotion_code ?? enteredCode?.promotion_code
  if (id === undefined) return none
  const promotionCode = await loadReferencedRecord(reader, 'promotion_codes', id)
  return {
    redemption: await loadPromotionCodeRedemption(reader, promotionCode, session.customer),
    enteredCode,
  }
}

/**
 * Loads the promotion code that a customer enters in a session; throws for an unknown code, or if the session does not
 * accept codes.
 */
export async function loadEnteredPromotionCode(
  reader: StoreReader,
  session: CompletableSession,
  code: string,
): Promise<{ readonly code: PromotionCode; readonly redemption: Redemption }> {
  if (session.object !== 'checkout_session' || !session.allow_promotion_codes) {
    throw new DomainError(
      'promotion_code_not_allowed',
      `Session '${session.id}' does not accept promotion codes. Create it with allow_promotion_codes.`,
      { param: 'promotion_code' },
    )
  }
  const found = await findActivePromotionCode(reader, code)
  if (found !== null)
    return { code: found, redemption: await loadPromotionCodeRedemption(reader, found, session.customer) }
  throw new DomainError(
    'resource_missing',
    `No active promotion code '${code}'. List the existing codes with GET /v1/promotion_codes.`,
    { param: 'promotion_code' },
  )
}
