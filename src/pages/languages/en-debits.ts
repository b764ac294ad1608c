/** The texts about direct debits in English. */
export const EN_DEBITS = {
  payByDebit: 'Pay by SEPA Direct Debit',
  iban: 'IBAN',
  holder: 'Account holder',
  mandate:
    'By continuing, you authorize the merchant to debit your account for this and later agreed payments. Your bank refunds a debit if you ask for it within eight weeks.',
  bankAccount: 'Bank account',
  debitSubmitted: 'Payment submitted',
  debitSubmittedText:
    'Thank you. Your account is debited in the next days. The payment is complete when your bank confirms it.',
  debitFailed: 'Payment failed',
  debitFailedText: 'Your bank returned the debit, so nothing was paid.',
}
