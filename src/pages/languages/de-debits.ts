import type { DebitMessages } from './messages.ts'

/** The texts about direct debits in German. */
export const DE_DEBITS: DebitMessages = {
  payByDebit: 'Per SEPA-Lastschrift zahlen',
  iban: 'IBAN',
  holder: 'Kontoinhaber',
  mandate:
    'Damit ermächtigen Sie den Händler, diese und später vereinbarte Zahlungen von Ihrem Konto einzuziehen. Ihre Bank erstattet eine Lastschrift, wenn Sie es innerhalb von acht Wochen verlangen.',
  bankAccount: 'Bankkonto',
  debitSubmitted: 'Zahlung eingereicht',
  debitSubmittedText:
    'Vielen Dank. Ihr Konto wird in den nächsten Tagen belastet. Die Zahlung ist abgeschlossen, wenn Ihre Bank sie bestätigt.',
  debitFailed: 'Zahlung fehlgeschlagen',
  debitFailedText: 'Ihre Bank hat die Lastschrift zurückgegeben, es wurde also nichts bezahlt.',
}
