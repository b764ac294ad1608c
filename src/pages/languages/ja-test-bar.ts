import type { TestBarMessages } from './messages.ts'

/** The texts of the test bar in Japanese. */
export const JA_TEST_BAR: TestBarMessages = {
  testCards: 'テストカード',
  testCardsHow:
    'テストカードのみ使えます。有効期限は将来の月、セキュリティコードは任意の数字でかまいません。',
  outcomes: {
    visa: '成功',
    declined: '拒否',
    insufficient_funds: '残高不足',
    sca_required: '3-D セキュア',
    sca_declined: '3-D セキュア後に拒否',
    expired: '期限切れのカード',
    incorrect_cvc: '誤ったコード',
    slow: '応答の遅い銀行',
  },
  onlyLocal: 'この部分はこのマシンでのみ表示されます。',
  tryOutcome: '結果を選ぶとすぐに支払われます。カード番号はフォームに入力されるだけです。',
  eventsSent: '関連イベント（新しい順）',
  noEvents: 'イベントはまだありません。',
  showEvents: 'イベントを表示',
  noEndpoint: '送信先はありません',
  responseStatus: '{status}（{ms} ミリ秒）',
  notDelivered: '未配信',
  toBeSent: '送信待ち',
  reload: '再読み込み',
}
