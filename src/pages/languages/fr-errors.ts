import type { Messages } from './messages.ts'

/** The error messages in French. */
export const FR_ERRORS: Messages['errors'] = {
  declined: 'Votre carte a été refusée. Essayez une autre carte, ou demandez la raison à votre banque.',
  blocked: 'Votre carte a été refusée. Utilisez une autre carte.',
  noFunds: 'Les fonds de votre carte sont insuffisants. Essayez une autre carte.',
  velocity:
    'Votre carte a été utilisée trop souvent ou au-delà de sa limite. Réessayez plus tard, ou utilisez une autre carte.',
  processingError:
    'Une erreur s’est produite pendant le traitement de votre carte. Réessayez dans un instant.',
  notTestCard:
    'Ce numéro n’est pas celui d’une carte de test, et aucune vraie carte ne peut être débitée ici. Utilisez une carte de test.',
  cardExpired: 'Votre carte a expiré. Utilisez une autre carte.',
  numberIncorrect: 'Votre numéro de carte est incorrect. Vérifiez-le et saisissez-le à nouveau.',
  codeIncorrect: 'Le code de sécurité de votre carte est incorrect. Vérifiez-le et saisissez-le à nouveau.',
  mustConfirm:
    'Votre banque vous demande de confirmer ce paiement. Payez à nouveau et confirmez quand elle le demande.',
  notAuthenticated:
    'Vous n’avez pas été authentifié, donc rien n’a été payé. Payez à nouveau et confirmez, ou utilisez une autre carte.',
  numberMissing: 'Saisissez un numéro de carte.',
  numberInvalid: 'Ce numéro de carte n’est pas valide. Vérifiez-le et saisissez-le à nouveau.',
  expiryInvalid: 'Saisissez la date d’expiration sous la forme mois et année, par exemple 12/30.',
  monthInvalid: 'Saisissez le mois d’expiration sous la forme d’un nombre de 1 à 12.',
  yearInvalid: 'Saisissez l’année d’expiration en deux ou quatre chiffres, par exemple 30 ou 2030.',
  yearPast: 'L’année d’expiration de la carte est passée. Vérifiez-la, ou utilisez une autre carte.',
  monthPast: 'Le mois d’expiration de la carte est passé. Vérifiez-le, ou utilisez une autre carte.',
  code3: 'Saisissez le code de sécurité de la carte : 3 chiffres.',
  code4: 'Saisissez le code de sécurité de la carte : 4 chiffres.',
  code3or4: 'Saisissez le code de sécurité de la carte : 3 ou 4 chiffres.',
  nameTooLong: 'Saisissez le nom en 256 caractères au plus, sur une seule ligne.',
  nameIsNumber: 'Cela ressemble à un numéro de carte. Saisissez le nom inscrit sur la carte.',
  codeUnknown: 'Ce code promo n’est pas valable. Vérifiez-le et saisissez-le à nouveau.',
  codeExpired: 'Ce code promo a expiré.',
  codeExhausted: 'Ce code promo est épuisé.',
  codeNotApplicable: 'Ce code promo ne s’applique pas à cet abonnement.',
  ibanMissing: 'Saisissez l’IBAN de votre compte bancaire.',
  ibanInvalid: 'Cet IBAN n’est pas valide. Vérifiez-le et saisissez-le à nouveau.',
  notTestIban:
    'Ce n’est pas un IBAN de test, et aucun compte réel ne peut être débité ici. Utilisez un IBAN de test.',
  holderMissing: 'Saisissez le nom du titulaire du compte.',
}
