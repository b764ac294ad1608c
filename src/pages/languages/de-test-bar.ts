import type { TestBarMessages } from './messages.ts'

/** The texts of the test bar in German. */
export const DE_TEST_BAR: TestBarMessages = {
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
}
