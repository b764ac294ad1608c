/** The texts about discounts and promotion codes in English. */
export const EN_DISCOUNTS = {
  discount: 'Discount',
  discountOnce: 'first payment only',
  discountMonths: { one: 'for one month', other: 'for {count} months' },
  promotionCode: 'Promotion code',
  applyCode: 'Apply',
  removeCode: 'Remove',
  chargedDiscount:
    'Nothing is charged today: the discount covers the amount. Your card is saved. The next payment is on {next}, then {every}.',
  invoicedDiscount:
    'Nothing is due today: the discount covers the amount. The next invoice is sent on {next}, then {every}.',
  discountGone: 'The discount is no longer available',
}
