import type { PortalMessages } from './messages.ts'

/** The texts of the customer portal in German. */
export const DE_PORTAL: PortalMessages = {
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
}
