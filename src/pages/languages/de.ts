import { DE_DEBITS } from './de-debits.ts'
import { DE_DISCOUNTS } from './de-discounts.ts'
import { DE_ERRORS } from './de-errors.ts'
import { DE_PORTAL } from './de-portal.ts'
import { DE_TEST_BAR } from './de-test-bar.ts'
import type { Messages } from './messages.ts'

/** The texts of all pages in German. */
export const DE: Messages = {
  checkout: 'Bezahlen',
  testMode: 'Testmodus',
  languageName: 'Deutsch',
  language: 'Sprache',
  changeLanguage: 'Ändern',
  footer: 'Bereitgestellt von paycli.',
  errorTitle: 'Fehler: {title}',

  yourSubscription: 'Ihr Abonnement',
  toPay: 'Zu zahlen',
  toReserve: 'Zu reservieren',
  forCustomer: 'Für {buyer}',
  nameAndEmail: '{name}, {email}',
  paidOnce: 'Einmalige Zahlung. Ihre Karte wird nicht gespeichert.',
  paidOnceCardSaved: 'Einmalige Zahlung. Ihre Karte wird für spätere Zahlungen gespeichert.',
  onlyReserved:
    'Dieser Betrag wird auf Ihrer Karte nur reserviert, für höchstens sieben Tage. Belastet wird höchstens dieser Betrag; der Rest wird freigegeben.',
  item: 'Posten',
  itemTaxed: '{every}, zuzüglich {percent} Steuer',
  subtotal: 'Zwischensumme',
  creditUsed: 'Verrechnetes Guthaben',
  tax: 'Steuer {percent}',
  totalDueToday: 'Heute fällig',
  dueToday: 'Heute fällig',
  firstInvoice: 'Erste Rechnung',

  payWithWallet: 'Mit Wallet bezahlen',
  orPayWithCard: 'oder mit Karte bezahlen',
  walletCard: '{card} (Test-Wallet)',
  decline: 'Ablehnen',
  cancel: 'Abbrechen',
  simulatedWallet: 'Diese Seite simuliert das Fenster einer Wallet. „Ablehnen“ lehnt die Zahlung ab.',

  every: {
    day: { one: 'täglich', other: 'alle {count} Tage' },
    week: { one: 'wöchentlich', other: 'alle {count} Wochen' },
    month: { one: 'monatlich', other: 'alle {count} Monate' },
    year: { one: 'jährlich', other: 'alle {count} Jahre' },
  },
  minutes: { one: '1 Minute', other: '{count} Minuten' },

  chargedNow: 'Heute werden {total} abgebucht. Die nächste Zahlung ist am {next}, danach {every}.',
  chargedNowSince:
    'Heute werden {total} für den Zeitraum abgebucht, der am {start} begann. Die nächste Zahlung ist am {next}, danach {every}.',
  chargedLater:
    'Heute wird nichts abgebucht. Ihre Karte wird gespeichert, und am {next} werden {total} abgebucht, danach {every}.',
  chargedNever:
    'Es wird nichts abgebucht: Der Gesamtbetrag ist {total}. Ihre Karte wird für das Abonnement gespeichert, das sich {every} verlängert.',
  invoicedNow:
    'Eine Rechnung über {total} geht Ihnen jetzt per E-Mail zu. Die nächste folgt am {next}, danach {every}.',
  invoicedNowSince:
    'Eine Rechnung über {total} für den Zeitraum, der am {start} begann, geht Ihnen jetzt per E-Mail zu. Die nächste folgt am {next}, danach {every}.',
  invoicedLater:
    'Heute ist nichts fällig. Die erste Rechnung über {total} geht Ihnen am {next} zu, danach {every}.',
  invoicedNever:
    'Es ist nichts zu zahlen: Der Gesamtbetrag ist {total}. Das Abonnement verlängert sich {every}.',
  trialPrice: 'Kostenlos bis {next}, danach {total} {every}',
  trialThenFree:
    'Der Testzeitraum dauert bis {next}. Auch danach wird nichts abgebucht: Der Gesamtbetrag ist {total}.',
  chargedCredit:
    'Heute wird nichts abgebucht: Ihr Guthaben deckt den Betrag. Ihre Karte wird gespeichert. Die nächste Zahlung ist am {next}, danach {every}.',
  invoicedCredit:
    'Heute ist nichts fällig: Ihr Guthaben deckt den Betrag. Die nächste Rechnung geht Ihnen am {next} zu, danach {every}.',
  payAtOnce: 'Jede Rechnung ist sofort zu zahlen.',
  payWithin: {
    one: 'Jede Rechnung ist innerhalb eines Tages zu zahlen.',
    other: 'Jede Rechnung ist innerhalb von {count} Tagen zu zahlen.',
  },
  consentCharge:
    'Mit dem Abonnement erlauben Sie, dass {total} {every} von Ihrer Karte abgebucht werden, bis es gekündigt wird.',
  consentSaving:
    'Mit dem Abonnement erlauben Sie, dass Ihre Karte dafür gespeichert wird. Es verlängert sich {every}, bis es gekündigt wird.',
  consentInvoice:
    'Mit dem Abonnement stimmen Sie zu, dass Ihnen {total} {every} in Rechnung gestellt werden, bis es gekündigt wird.',
  consentRenewal:
    'Mit dem Abonnement stimmen Sie zu, dass es sich {every} verlängert, bis es gekündigt wird.',
  consentLaterPayments:
    'Mit der Zahlung erlauben Sie, dass Ihre Karte gespeichert und für spätere Zahlungen belastet wird.',
  consentTrial:
    'Mit dem Abonnement stimmen Sie zu, dass es nach dem Testzeitraum {every} {total} kostet, bis es gekündigt wird.',

  subscribe: 'Abonnieren',
  pay: '{amount} bezahlen',
  reserve: '{amount} reservieren',
  payAndSubscribe: '{amount} bezahlen und abonnieren',
  saveAndSubscribe: 'Karte speichern und abonnieren',
  startTrial: 'Testzeitraum starten',
  connectionLost: 'Verbindung unterbrochen',
  connectionLostHow:
    'Es ist nicht bekannt, ob Ihr Formular angekommen ist. Versuchen Sie es noch einmal: Es wird nichts doppelt abgebucht.',
  done: 'Fertig',
  working: 'Wird verarbeitet …',
  cardDetails: 'Kartendaten',
  confirm: 'Bestätigen',
  noCardNeeded: 'Es ist keine Karte nötig: Sie zahlen auf Rechnung.',
  noCardForTrial: 'Für den Testzeitraum ist keine Karte nötig.',
  cardNumber: 'Kartennummer',
  expiry: 'Gültig bis',
  monthSlashYear: 'MM / JJ',
  securityCode: 'Prüfnummer',
  nameOnCard: 'Name auf der Karte',
  optional: '(freiwillig)',

  checkDetails: 'Bitte prüfen Sie Ihre Angaben',
  nothingCharged: 'Es wurde nichts abgebucht.',
  sendAgain: 'Bitte senden Sie das Formular noch einmal',
  sendAgainWhy: 'Es war zu lange geöffnet oder kam nicht von dieser Seite. Es wurde nichts abgebucht.',
  cardDeclined: 'Karte abgelehnt',
  notConfirmed: 'Zahlung nicht bestätigt',
  cardNotCharged: 'Von der Karte mit den Endziffern {last4} wurde nichts abgebucht.',
  tooManyDeclines: 'Zu viele abgelehnte Versuche',
  tooManyDeclinesWait:
    'Hier wurden zu viele Karten abgelehnt, daher werden vorerst keine weiteren angenommen. Es wurde nichts abgebucht. Kommen Sie in {minutes} wieder oder fragen Sie Ihre Bank nach dem Grund.',
  tooManyDeclinesClock:
    'Hier wurden zu viele Karten abgelehnt, daher werden vorerst keine weiteren angenommen. Es wurde nichts abgebucht. Stellen Sie die Testuhr um {minutes} vor oder fragen Sie Ihre Bank nach dem Grund.',
  backToForm: 'Zurück zum Formular',

  confirmPayment: 'Bestätigen Sie Ihre Zahlung',
  confirmCard: 'Bestätigen Sie Ihre Karte',
  bankAsksPaying: 'Ihre Bank fragt, ob wirklich Sie bezahlen.',
  bankAsksSaving: 'Ihre Bank fragt, ob wirklich Sie diese Karte speichern.',
  amountToday: 'Betrag heute',
  card: 'Karte',
  cardEnding: '{brand} mit den Endziffern {last4}',
  approve: 'Bestätigen',
  reject: 'Ablehnen',
  useAnotherCard: 'Andere Karte verwenden',
  confirmWithBank: 'Bei der Bank bestätigen',
  simulatedBankPage: 'Diese Seite simuliert die 3-D-Secure-Seite einer Bank.',
  chooseOne: 'Bitte wählen Sie',
  chooseOneHow: 'Drücken Sie „Bestätigen“ oder „Ablehnen“.',
  nothingToConfirm: 'Nichts mehr zu bestätigen',
  challengeNoLongerValid:
    'Sie haben diese Anfrage bereits beantwortet, oder danach wurde eine andere Karte verwendet.',
  expiredUnconfirmed: 'Der Link ist vor der Bestätigung abgelaufen, es wurde also nichts abgebucht.',
  canceledUnconfirmed: 'Die Anforderung wurde zurückgezogen, es wurde also nichts abgebucht.',
  answered: 'Sie haben diese Anfrage bereits beantwortet.',
  showResult: 'Ergebnis ansehen',

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

  updateCard: 'Karte aktualisieren',
  currentCard: 'Bisherige Karte',
  cardUsedFor: 'Die neue Karte wird belastet für:',
  cardForLater: 'Die neue Karte wird für spätere Zahlungen gespeichert.',
  paidNow: 'Jetzt mit der neuen Karte bezahlt:',
  nothingPaidNow: 'Heute wird nichts abgebucht.',
  saveCard: 'Karte speichern',
  saveAndPay: 'Karte speichern und {amount} zahlen',
  saveAndPayAll: 'Karte speichern und Rechnungen zahlen',
  consentCard:
    'Mit dem Speichern erlauben Sie, dass die Karte für Ihre Abonnements belastet wird, bis sie gekündigt werden.',
  cardUpdated: 'Ihre Karte ist aktualisiert',
  cardUpdatedText: 'Vielen Dank. Ihre neue Karte ist gespeichert.',
  cardUpdatedPaid: 'Vielen Dank. Ihre neue Karte ist gespeichert, und Ihre offenen Rechnungen sind bezahlt.',
  cardUpdatedUnpaid:
    'Ihre neue Karte ist gespeichert, aber Ihre Bank hat eine Zahlung damit abgelehnt. Diese Rechnung ist noch offen.',
  alreadyUpdated: 'Karte bereits aktualisiert',
  notPaid: 'Abgelehnt',

  invoice: 'Rechnung',
  invoiceNumber: 'Rechnung {number}',
  billedTo: 'Rechnung an {buyer}',
  issuedOn: 'Ausgestellt am {date}',
  dueOn: 'Fällig am {date}',
  overdueSince: 'Diese Rechnung war am {date} fällig.',
  chargeFailed: 'Zahlung fehlgeschlagen',
  noCardToCharge: 'Für diese Rechnung gibt es keine gespeicherte Karte, von der abgebucht werden könnte.',
  chargedAgain: 'Am {date} wird es mit Ihrer gespeicherten Karte noch einmal versucht.',
  payHereNow: 'Sie können jetzt hier bezahlen.',
  period: '{start} bis {end}',
  unusedTime: 'Nicht genutzte Zeit, {start} bis {end}',
  remainingTime: 'Verbleibende Zeit, {start} bis {end}',
  total: 'Gesamtbetrag',
  amountPaid: 'Bereits bezahlt',
  amountRemaining: 'Noch zu zahlen',
  cardOnlyForThis: 'Die Karte wird nur für diese Rechnung belastet und nicht gespeichert.',
  keepCard: 'Diese Karte ab jetzt verwenden',
  keepCardHow:
    'Die Karte wird gespeichert und für die nächsten Rechnungen Ihres Abonnements belastet. Sonst wird sie nur für diese Rechnung belastet und nicht gespeichert.',
  paidOn: 'Bezahlt am {date}',
  seller: 'Verkäufer',
  customer: 'Kunde',
  servicePeriod: 'Leistungszeitraum',
  refunded: 'Erstattet',
  partlyRefunded: 'Teilweise erstattet',
  creditAdded: 'Ihrem Guthaben hinzugefügt',
  print: 'Drucken',
  downloadPdf: 'PDF herunterladen',
  pdfIncomplete:
    'Diese PDF-Datei kann nicht alles darstellen. Den vollständigen Beleg finden Sie unter {url}',
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
  askForNew: 'Bitten Sie den Absender des Links um einen neuen.',

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

  showDetails: { one: 'Details anzeigen (1 Position)', other: 'Details anzeigen ({count} Positionen)' },
  noMoneyMoves: 'es fließt kein Geld',
  events: 'Ereignisse',
  ...DE_PORTAL,
  ...DE_TEST_BAR,
  ...DE_DEBITS,
  ...DE_DISCOUNTS,
  errors: DE_ERRORS,
}
