import type { StatusMessages } from './messages.ts'

/** The texts of results, of pages about test clocks and of error pages in German. */
export const DE_STATUS: StatusMessages = {
  beingProcessed: 'Ihre Zahlung wird verarbeitet',
  bankTakesTime:
    'Ihre Bank braucht einen Moment für die Antwort. Bleiben Sie auf dieser Seite: Es geht von selbst weiter. Sie müssen nicht noch einmal bezahlen.',
  amount: 'Betrag',
  purpose: 'Für',
  checkNow: 'Jetzt nachsehen',

  paymentReceived: 'Zahlung eingegangen',
  paymentWentThrough: 'Vielen Dank. Ihre Zahlung war erfolgreich.',
  paymentWentThroughCardSaved: 'Vielen Dank. Ihre Zahlung war erfolgreich, und Ihre Karte ist gespeichert.',
  amountReserved: 'Betrag reserviert',
  amountReservedText:
    'Vielen Dank. Der Betrag ist auf Ihrer Karte reserviert, und bisher wurde nichts belastet.',
  reservedUntil: 'Reserviert bis',
  reservationReleased: 'Reservierung aufgehoben',
  reservationReleasedText: 'Der reservierte Betrag wurde freigegeben, und es wurde nichts belastet.',
  subscribed: 'Ihr Abonnement ist abgeschlossen',
  firstPaymentWentThrough: 'Vielen Dank. Ihre erste Zahlung war erfolgreich.',
  firstInvoiceSent: 'Vielen Dank. Ihre erste Rechnung wurde per E-Mail versandt.',
  invoicesCome: 'Vielen Dank. Heute ist nichts fällig; Rechnungen kommen per E-Mail.',
  cardSaved: 'Vielen Dank. Ihre Karte ist gespeichert, und heute wurde nichts abgebucht.',
  cardSavedForStart:
    'Vielen Dank. Ihre Karte ist gespeichert, und heute wurde nichts abgebucht. Die erste Zahlung erfolgt, wenn das Abonnement beginnt.',
  trialStarted: 'Vielen Dank. Ihr Testzeitraum hat begonnen, und heute wurde nichts abgebucht.',
  date: 'Datum',
  reference: 'Referenz',
  firstPayment: 'Erste Zahlung',
  nextPayment: 'Nächste Zahlung',
  nextInvoice: 'Nächste Rechnung',
  trialEnds: 'Ende des Testzeitraums',
  amountEvery: '{total} {every}',
  returningToMerchant: 'Sie werden zu {host} zurückgeleitet …',
  continueTo: 'Weiter zu {host}',
  backTo: 'Zurück zu {host}',
  alreadyPaid: 'Bereits bezahlt',
  alreadySubscribed: 'Bereits abonniert',
  alreadyDone:
    'Das wurde bereits abgeschlossen, und hier wird nichts weiter abgebucht. Sie können diese Seite schließen.',
  expired: 'Dieser Link ist abgelaufen',
  canceled: 'Diese Anforderung wurde zurückgezogen',
  askForNewLink: 'Bitten Sie den Absender des Links um einen neuen.',
  goBackOrAsk:
    'Gehen Sie zurück zu {host} und beginnen Sie neu, oder bitten Sie den Absender des Links um einen neuen.',

  invoicePaid: 'Rechnung bezahlt',
  invoicePaidText: 'Vielen Dank. Ihre Zahlung war erfolgreich. Sie können diese Seite schließen.',
  invoiceSettled: 'Diese Rechnung ist bezahlt, nichts ist mehr offen. Sie können diese Seite schließen.',
  invoiceVoid: 'Diese Rechnung wurde storniert',
  invoiceVoidText: 'Es ist nichts mehr zu zahlen. Sie können diese Seite schließen.',
  invoiceClosed: 'Diese Rechnung kann hier nicht mehr bezahlt werden',
  invoiceClosedText:
    'Das Kundenkonto, auf das sie ausgestellt ist, wurde geschlossen, und es wurde nichts abgebucht. Fragen Sie den Absender des Links, was zu tun ist.',
  invoicePaidSince: 'Rechnung {number} wurde inzwischen bezahlt, es ist also nichts mehr offen.',
  invoiceVoidSince: 'Rechnung {number} wurde inzwischen storniert, es ist also nichts mehr offen.',
  attemptCanceled: 'Diese Zahlung wurde vor der Bestätigung abgebrochen, es wurde also nichts abgebucht.',
  payInvoiceAgain: 'Sie können es auf der Seite der Rechnung noch einmal versuchen.',
  toInvoice: 'Zur Rechnung',

  pleaseWait: 'Einen Moment bitte',
  clockMoving: 'Die Testuhr dieser Seite wird gerade gestellt, solange kann nichts bezahlt werden.',
  triesAgain: 'Diese Seite versucht es von selbst noch einmal.',
  tryAgainNow: 'Versuchen Sie es jetzt noch einmal.',
  tryAgain: 'Noch einmal versuchen',
  notUsed: 'Was Sie gerade gesendet haben, wurde nicht verwendet, und es wurde nichts abgebucht.',
  offerChanged: 'Preis oder Bedingungen haben sich geändert',
  offerChangedHow: 'Es wurde nichts abgebucht. Prüfen Sie die neuen Angaben und bestätigen Sie noch einmal.',
  testBroken: 'Dieser Test kann nicht fortgesetzt werden',
  clockFailed: 'Die Testuhr dieser Seite ist fehlgeschlagen. Hier kann nichts mehr bezahlt werden.',
  clockFailedAdvice:
    'Wenn dies Ihr Test ist, suchen Sie den Fehler im Protokoll des Servers, löschen Sie die Uhr und beginnen Sie mit einer neuen.',
  testClockDeleted: 'Dieser Test ist vorbei',
  clockDeleted: 'Die Testuhr dieser Seite wurde gelöscht, daher kann hier nichts mehr bezahlt werden.',

  notFound: 'Seite nicht gefunden',
  notFoundAdvice: 'Prüfen Sie, ob der Link vollständig ist, oder bitten Sie den Absender um einen neuen.',
  notFoundTest:
    'Wenn das Ihr Test ist: Der Link gehört vielleicht zu einer Sandbox, einem Server oder Daten, die gelöscht wurden. Erstellen Sie einen neuen Link.',
  notPossible: 'Hier nicht möglich',
  notPossibleAdvice: 'So geht es auf dieser Seite nicht. Öffnen Sie den erhaltenen Link im Browser.',
  wrongAddress: 'Falsche Adresse',
  wrongAddressAdvice:
    'Diese Seite ist unter dieser Adresse nicht verfügbar. Öffnen Sie den Link genau so, wie Sie ihn erhalten haben.',
  tooManyRequests: 'Zu viele Anfragen',
  tooManyRequestsAdvice:
    'Aus Ihrem Netz kamen in kurzer Zeit zu viele Anfragen. Mit dieser wurde nichts abgebucht. Warten Sie einige Sekunden und versuchen Sie es dann noch einmal.',
  formTooLarge: 'Das Formular ist zu groß',
  unreadable: 'Das Formular war nicht lesbar',
  fillInAgain: 'Gehen Sie zurück, laden Sie die Seite neu und füllen Sie das Formular noch einmal aus.',
  broken: 'Etwas ist schiefgegangen',
  brokenAdvice:
    'Der Fehler liegt bei uns. Öffnen Sie Ihren Link noch einmal: War die Zahlung erfolgreich, steht es dort; sonst versuchen Sie es erneut.',
}
