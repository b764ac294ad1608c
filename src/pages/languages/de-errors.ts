import type { Messages } from './messages.ts'

/** The error messages in German. */
export const DE_ERRORS: Messages['errors'] = {
  declined:
    'Ihre Karte wurde abgelehnt. Versuchen Sie eine andere Karte oder fragen Sie Ihre Bank nach dem Grund.',
  blocked: 'Ihre Karte wurde abgelehnt. Verwenden Sie eine andere Karte.',
  noFunds: 'Ihre Karte ist nicht ausreichend gedeckt. Versuchen Sie eine andere Karte.',
  velocity:
    'Ihre Karte wurde zu oft oder über ihr Limit hinaus verwendet. Versuchen Sie es später noch einmal oder verwenden Sie eine andere Karte.',
  processingError:
    'Beim Verarbeiten Ihrer Karte ist ein Fehler aufgetreten. Versuchen Sie es gleich noch einmal.',
  notTestCard:
    'Diese Nummer gehört zu keiner Testkarte, und echte Karten können hier nicht belastet werden. Verwenden Sie eine Testkarte.',
  cardExpired: 'Ihre Karte ist abgelaufen. Verwenden Sie eine andere Karte.',
  numberIncorrect: 'Ihre Kartennummer ist falsch. Prüfen Sie die Nummer und geben Sie sie noch einmal ein.',
  codeIncorrect:
    'Die Prüfnummer Ihrer Karte ist falsch. Prüfen Sie die Nummer und geben Sie sie noch einmal ein.',
  mustConfirm:
    'Ihre Bank bittet Sie, diese Zahlung zu bestätigen. Bezahlen Sie noch einmal und bestätigen Sie, wenn Sie gefragt werden.',
  notAuthenticated:
    'Die Zahlung wurde nicht bestätigt, es wurde also nichts bezahlt. Bezahlen Sie noch einmal und bestätigen Sie, oder verwenden Sie eine andere Karte.',
  numberMissing: 'Geben Sie eine Kartennummer ein.',
  numberInvalid: 'Diese Kartennummer ist ungültig. Prüfen Sie die Nummer und geben Sie sie noch einmal ein.',
  expiryInvalid: 'Geben Sie das Ablaufdatum als Monat und Jahr ein, etwa 12/30.',
  monthInvalid: 'Geben Sie den Ablaufmonat als Zahl von 1 bis 12 ein.',
  yearInvalid: 'Geben Sie das Ablaufjahr mit zwei oder vier Ziffern ein, etwa 30 oder 2030.',
  yearPast: 'Das Ablaufjahr der Karte ist vorbei. Prüfen Sie es oder verwenden Sie eine andere Karte.',
  monthPast: 'Der Ablaufmonat der Karte ist vorbei. Prüfen Sie ihn oder verwenden Sie eine andere Karte.',
  code3: 'Geben Sie die Prüfnummer der Karte ein: 3 Ziffern.',
  code4: 'Geben Sie die Prüfnummer der Karte ein: 4 Ziffern.',
  code3or4: 'Geben Sie die Prüfnummer der Karte ein: 3 oder 4 Ziffern.',
  nameTooLong: 'Geben Sie den Namen in höchstens 256 Zeichen und einer Zeile ein.',
  nameIsNumber: 'Das sieht nach einer Kartennummer aus. Geben Sie den Namen ein, der auf der Karte steht.',
  codeUnknown: 'Dieser Gutscheincode ist nicht gültig. Prüfen Sie ihn und geben Sie ihn noch einmal ein.',
  codeExpired: 'Dieser Gutscheincode ist abgelaufen.',
  codeExhausted: 'Dieser Gutscheincode ist aufgebraucht.',
  codeNotApplicable: 'Dieser Gutscheincode gilt nicht für dieses Abonnement.',
  ibanMissing: 'Geben Sie die IBAN Ihres Bankkontos ein.',
  ibanInvalid: 'Diese IBAN ist ungültig. Prüfen Sie sie und geben Sie sie noch einmal ein.',
  notTestIban:
    'Das ist keine Test-IBAN, und echte Konten können hier nicht belastet werden. Verwenden Sie eine Test-IBAN.',
  holderMissing: 'Geben Sie den Namen des Kontoinhabers ein.',
}
