import type { DiscountMessages } from './messages.ts'

/** The texts about discounts and promotion codes in Arabic. */
export const AR_DISCOUNTS: DiscountMessages = {
  discount: 'خصم',
  discountOnce: 'على الدفعة الأولى فقط',
  discountMonths: {
    one: 'لمدة شهر',
    two: 'لمدة شهرين',
    few: 'لمدة {count} أشهر',
    other: 'لمدة {count} شهرًا',
  },
  promotionCode: 'رمز ترويجي',
  applyCode: 'تطبيق',
  removeCode: 'إزالة',
  chargedDiscount:
    'لا يتم تحصيل شيء اليوم: الخصم يغطي المبلغ. تُحفظ بطاقتك. الدفعة التالية في {next}، ثم {every}.',
  invoicedDiscount: 'لا يستحق شيء اليوم: الخصم يغطي المبلغ. تُرسل الفاتورة التالية في {next}، ثم {every}.',
  discountGone: 'لم يعد الخصم متاحًا',
}
