import type { DiscountMessages } from './messages.ts'

/** The texts about discounts and promotion codes in Japanese. */
export const JA_DISCOUNTS: DiscountMessages = {
  discount: '割引',
  discountOnce: '初回のお支払いのみ',
  discountMonths: { other: '{count}か月間' },
  promotionCode: 'プロモーションコード',
  applyCode: '適用',
  removeCode: '削除',
  chargedDiscount:
    '割引で全額が差し引かれるため、本日の請求はありません。カードが保存されます。次回のお支払いは {next}、以後{every}です。',
  invoicedDiscount:
    '割引で全額が差し引かれるため、本日のお支払いはありません。次回の請求書は {next} に送付され、以後{every}です。',
  discountGone: 'この割引はご利用いただけなくなりました',
}
