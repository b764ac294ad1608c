import { DE_ERRORS } from './de-errors.ts'
import { DE_STATUS } from './de-status.ts'
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

  discount: 'Rabatt',
  discountOnce: 'nur auf die erste Zahlung',
  discountMonths: { one: 'für einen Monat', other: 'für {count} Monate' },
  promotionCode: 'Gutscheincode',
  applyCode: 'Einlösen',
  removeCode: 'Entfernen',
  chargedDiscount:
    'Heute wird nichts abgebucht: Der Rabatt deckt den Betrag. Ihre Karte wird gespeichert. Die nächste Zahlung ist am {next}, danach {every}.',
  invoicedDiscount:
    'Heute ist nichts fällig: Der Rabatt deckt den Betrag. Die nächste Rechnung geht Ihnen am {next} zu, danach {every}.',
  discountGone: 'Der Rabatt ist nicht mehr verfügbar',

  portal: 'Ihr Konto',
  portalDone: 'Ihre Änderung ist gespeichert.',
  noSubscriptions: 'Sie haben kein Abonnement.',
  noCard: 'Es ist keine Karte gespeichert.',
  statePending: 'Es beginnt am {date}.',
  stateTrialing: 'Ihr kostenloser Testzeitraum endet am {date}.',
  stateActive: 'Es ist aktiv.',
  stateFailed:
    'Eine Zahlung ist fehlgeschlagen. Aktualisieren Sie Ihre Karte oder bezahlen Sie die offene Rechnung.',
  statePaused: 'Es ist pausiert: Der Testzeitraum endete ohne Karte.',
  stateEnding: 'Es ist gekündigt und endet am {date}.',
  stateEnded: 'Es endete am {date}.',
  amountOn: '{amount} am {date}',
  changePlan: 'Tarif oder Menge ändern',
  cancelSubscription: 'Abonnement kündigen',
  keepSubscription: 'Abonnement behalten',
  cancelsNow: 'Das Abonnement endet sofort, ohne Erstattung. Das lässt sich nicht rückgängig machen.',
  cancelsLater: 'Das Abonnement endet am {date}. Bis dahin können Sie die Kündigung zurücknehmen.',
  backToPortal: 'Zurück zu Ihrem Konto',
  plan: 'Tarif',
  currentPlan: '{plan} (aktuell)',
  quantity: 'Menge',
  quantityInvalid: 'Geben Sie eine ganze Zahl von 1 bis {max} ein.',
  showPrice: 'Preis anzeigen',
  confirmChange: 'Änderung bestätigen',
  subscriptionUnchanged: 'Ihr Abonnement wurde nicht geändert.',
  invoicesAndReceipts: 'Rechnungen und Belege',

  testCards: 'Testkarten',
  testCardsHow:
    'Nur Testkarten werden angenommen, mit beliebigem künftigem Ablaufdatum und beliebiger Prüfnummer.',
  outcomes: {
    visa: 'Erfolgreich',
    declined: 'Abgelehnt',
    insufficient_funds: 'Nicht gedeckt',
    sca_required: '3-D Secure',
    sca_declined: '3-D Secure, dann abgelehnt',
    expired: 'Karte abgelaufen',
    incorrect_cvc: 'Falsche Prüfnummer',
    slow: 'Langsame Bank',
  },
  onlyLocal: 'Nur auf diesem Rechner sichtbar.',
  tryOutcome: 'Ein Ergebnis zu wählen bezahlt sofort. Eine Kartennummer füllt nur das Formular aus.',
  eventsSent: 'Ereignisse dazu, neueste zuerst',
  noEvents: 'Noch keine Ereignisse.',
  showEvents: 'Ereignisse anzeigen',
  noEndpoint: 'an keinen Endpunkt gesendet',
  responseStatus: '{status} in {ms} ms',
  notDelivered: 'nicht zugestellt',
  toBeSent: 'wird noch gesendet',
  reload: 'Neu laden',

  showDetails: { one: 'Details anzeigen (1 Position)', other: 'Details anzeigen ({count} Positionen)' },
  noMoneyMoves: 'es fließt kein Geld',
  events: 'Ereignisse',
  ...DE_STATUS,
  errors: DE_ERRORS,
}
