import type { DebitMessages } from './messages.ts'

/** The texts about direct debits in Arabic. */
export const AR_DEBITS: DebitMessages = {
  payByDebit: 'الدفع بالخصم المباشر SEPA',
  iban: 'رقم IBAN',
  holder: 'صاحب الحساب',
  mandate:
    'بالمتابعة، تأذن للتاجر بخصم هذه الدفعة والدفعات اللاحقة المتفق عليها من حسابك. ويعيد مصرفك المبلغ المخصوم إذا طلبت ذلك خلال ثمانية أسابيع.',
  bankAccount: 'الحساب المصرفي',
  debitSubmitted: 'أُرسلت الدفعة',
  debitSubmittedText: 'شكرًا لك. سيُخصم المبلغ من حسابك خلال الأيام القادمة. وتكتمل الدفعة عندما يؤكدها مصرفك.',
  debitFailed: 'فشلت الدفعة',
  debitFailedText: 'أعاد مصرفك الخصم، لذلك لم يُدفع شيء.',
}
