import type { DebitMessages } from './messages.ts'

/** The texts about direct debits in Japanese. */
export const JA_DEBITS: DebitMessages = {
  payByDebit: 'SEPA口座振替で支払う',
  iban: 'IBAN',
  holder: '口座名義人',
  mandate:
    '続行すると、今回の支払いと今後合意した支払いを口座から引き落とすことを加盟店に許可したことになります。8週間以内に申し出ると、銀行は引き落とし額を返金します。',
  bankAccount: '銀行口座',
  debitSubmitted: '支払いを受け付けました',
  debitSubmittedText:
    'ありがとうございます。数日以内に口座から引き落とされます。銀行が確認すると支払いは完了します。',
  debitFailed: '支払いに失敗しました',
  debitFailedText: '銀行が引き落としを返却したため、何も支払われていません。',
}
