import type { TestBarMessages } from './messages.ts'

/** The texts of the test bar in French. */
export const FR_TEST_BAR: TestBarMessages = {
  testCards: 'cartes de test',
  testCardsHow:
    'Seules les cartes de test sont acceptées, avec n’importe quelle expiration future et n’importe quel code.',
  outcomes: {
    visa: 'Réussit',
    declined: 'Refusée',
    insufficient_funds: 'Fonds insuffisants',
    sca_required: '3-D Secure',
    sca_declined: '3-D Secure, puis refusée',
    expired: 'Carte expirée',
    incorrect_cvc: 'Mauvais code de sécurité',
    slow: 'Banque lente',
  },
  onlyLocal: 'Seule cette machine voit cette partie.',
  tryOutcome: 'Choisir un résultat paie aussitôt. Un numéro de carte remplit seulement le formulaire.',
  eventsSent: 'Événements à ce sujet, le plus récent d’abord',
  noEvents: 'Aucun événement pour l’instant.',
  showEvents: 'Afficher les événements',
  noEndpoint: 'envoyé à aucun destinataire',
  responseStatus: '{status} en {ms} ms',
  notDelivered: 'non remis',
  toBeSent: 'à envoyer',
  reload: 'Recharger',
}
