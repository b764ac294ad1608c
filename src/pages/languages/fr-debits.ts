import type { DebitMessages } from './messages.ts'

/** The texts about direct debits in French. */
export const FR_DEBITS: DebitMessages = {
  payByDebit: 'Payer par prélèvement SEPA',
  iban: 'IBAN',
  holder: 'Titulaire du compte',
  mandate:
    'En continuant, vous autorisez le marchand à débiter votre compte pour ce paiement et les paiements convenus ultérieurs. Votre banque rembourse un prélèvement si vous le demandez dans les huit semaines.',
  bankAccount: 'Compte bancaire',
  debitSubmitted: 'Paiement envoyé',
  debitSubmittedText:
    'Merci. Votre compte sera débité dans les prochains jours. Le paiement est terminé quand votre banque le confirme.',
  debitFailed: 'Échec du paiement',
  debitFailedText: "Votre banque a rejeté le prélèvement, donc rien n'a été payé.",
}
