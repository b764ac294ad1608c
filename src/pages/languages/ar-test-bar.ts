import type { TestBarMessages } from './messages.ts'

/** Latin text that starts with a digit is isolated, because its direction would change inside Arabic text. */
export const AR_THREE_D_SECURE = '\u20663-D Secure\u2069'

/** The texts of the test bar in Arabic. */
export const AR_TEST_BAR: TestBarMessages = {
  testCards: 'بطاقات الاختبار',
  testCardsHow: 'تُقبل بطاقات الاختبار فقط، بأي تاريخ انتهاء قادم وأي رمز أمان.',
  outcomes: {
    visa: 'نجاح',
    declined: 'رفض',
    insufficient_funds: 'رصيد غير كافٍ',
    sca_required: AR_THREE_D_SECURE,
    sca_declined: `${AR_THREE_D_SECURE} ثم رفض`,
    expired: 'بطاقة منتهية',
    incorrect_cvc: 'رمز أمان خاطئ',
    slow: 'مصرف بطيء',
  },
  onlyLocal: 'هذا الجهاز وحده يرى هذا القسم.',
  tryOutcome: 'اختيار نتيجة يدفع فورًا. أما رقم البطاقة فيملأ النموذج فقط.',
  eventsSent: 'الأحداث المتعلقة بها، الأحدث أولًا',
  noEvents: 'لا أحداث بعد.',
  showEvents: 'عرض الأحداث',
  noEndpoint: 'لم يُرسل إلى أي وجهة',
  responseStatus: '{status} خلال {ms} مللي ثانية',
  notDelivered: 'لم يُسلَّم',
  toBeSent: 'بانتظار الإرسال',
  reload: 'إعادة التحميل',
}
