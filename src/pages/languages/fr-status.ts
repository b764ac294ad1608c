import type { StatusMessages } from './messages.ts'

/** The texts of results, of pages about test clocks and of error pages in French. */
export const FR_STATUS: StatusMessages = {
  beingProcessed: 'Votre paiement est en cours de traitement',
  bankTakesTime:
    'Votre banque met un moment à répondre. Restez sur cette page : elle avance toute seule. Inutile de payer à nouveau.',
  amount: 'Montant',
  purpose: 'Pour',
  checkNow: 'Vérifier maintenant',

  paymentReceived: 'Paiement reçu',
  paymentWentThrough: 'Merci. Votre paiement a abouti.',
  paymentWentThroughCardSaved: 'Merci. Votre paiement a abouti, et votre carte est enregistrée.',
  amountReserved: 'Montant réservé',
  amountReservedText: 'Merci. Le montant est réservé sur votre carte, et rien n’a encore été débité.',
  reservedUntil: 'Réservé jusqu’au',
  reservationReleased: 'Réservation annulée',
  reservationReleasedText: 'Le montant réservé a été libéré, et rien n’a été débité.',
  subscribed: 'Vous êtes abonné',
  firstPaymentWentThrough: 'Merci. Votre premier paiement a abouti.',
  firstInvoiceSent: 'Merci. Votre première facture a été envoyée par e-mail.',
  invoicesCome: 'Merci. Rien n’est dû aujourd’hui ; les factures arrivent par e-mail.',
  cardSaved: 'Merci. Votre carte est enregistrée, et rien n’a été débité aujourd’hui.',
  cardSavedForStart:
    'Merci. Votre carte est enregistrée, et rien n’a été débité aujourd’hui. Le premier paiement est prélevé au début de l’abonnement.',
  trialStarted: 'Merci. Votre essai a commencé, et rien n’a été débité aujourd’hui.',
  date: 'Date',
  reference: 'Référence',
  firstPayment: 'Premier paiement',
  nextPayment: 'Prochain paiement',
  nextInvoice: 'Prochaine facture',
  trialEnds: 'Fin de l’essai',
  amountEvery: '{total} {every}',
  returningToMerchant: 'Retour vers {host}…',
  continueTo: 'Continuer vers {host}',
  backTo: 'Retour à {host}',
  alreadyPaid: 'Déjà payé',
  alreadySubscribed: 'Déjà abonné',
  alreadyDone:
    'Cette demande est déjà réglée, et rien de plus n’est débité ici. Vous pouvez fermer cette page.',
  expired: 'Ce lien a expiré',
  canceled: 'Cette demande a été annulée',
  askForNewLink: 'Demandez un nouveau lien à la personne qui vous l’a envoyé.',
  goBackOrAsk:
    'Retournez sur {host} pour recommencer, ou demandez un nouveau lien à la personne qui vous l’a envoyé.',

  invoicePaid: 'Facture payée',
  invoicePaidText: 'Merci. Votre paiement a abouti. Vous pouvez fermer cette page.',
  invoiceSettled: 'Cette facture est payée, et il ne reste rien à régler. Vous pouvez fermer cette page.',
  invoiceVoid: 'Cette facture a été annulée',
  invoiceVoidText: 'Il ne reste rien à payer. Vous pouvez fermer cette page.',
  invoiceClosed: 'Cette facture ne peut plus être payée ici',
  invoiceClosedText:
    'Le compte client auquel elle est adressée a été fermé, et rien n’a été débité. Demandez que faire à la personne qui vous a envoyé ce lien.',
  invoicePaidSince: 'La facture {number} a été payée depuis ; il ne reste rien à payer.',
  invoiceVoidSince: 'La facture {number} a été annulée depuis ; il ne reste rien à payer.',
  attemptCanceled: 'Ce paiement a été annulé avant d’être confirmé ; rien n’a été débité.',
  payInvoiceAgain: 'Vous pouvez réessayer sur la page de la facture.',
  toInvoice: 'Voir la facture',

  pleaseWait: 'Un instant, s’il vous plaît',
  clockMoving:
    'L’horloge de test de cette page est en train d’avancer, et rien ne peut être payé entre-temps.',
  triesAgain: 'Cette page réessaie toute seule.',
  tryAgainNow: 'Réessayez maintenant.',
  tryAgain: 'Réessayer',
  notUsed: 'Ce que vous venez d’envoyer n’a pas été utilisé, et rien n’a été débité.',
  offerChanged: 'Le prix ou les conditions ont changé',
  offerChangedHow: 'Rien n’a été débité. Vérifiez ce qui est affiché maintenant, puis confirmez à nouveau.',
  testBroken: 'Ce test ne peut pas continuer',
  clockFailed: 'L’horloge de test de cette page a échoué ; rien ne peut plus être payé ici.',
  clockFailedAdvice:
    'Si c’est votre test, cherchez l’erreur dans le journal du serveur, supprimez l’horloge et recommencez avec une nouvelle.',
  testClockDeleted: 'Ce test est terminé',
  clockDeleted: 'L’horloge de test de cette page a été supprimée ; rien ne peut plus être payé ici.',

  notFound: 'Page introuvable',
  notFoundAdvice:
    'Vérifiez que le lien est complet, ou demandez-en un nouveau à la personne qui vous l’a envoyé.',
  notFoundTest:
    'Si c’est votre test : le lien appartient peut-être à un bac à sable, à un serveur ou à des données supprimés. Créez un nouveau lien.',
  notPossible: 'Impossible ici',
  notPossibleAdvice:
    'Cette page ne s’utilise pas ainsi. Ouvrez le lien que vous avez reçu dans un navigateur.',
  wrongAddress: 'Mauvaise adresse',
  wrongAddressAdvice:
    'Cette page n’est pas disponible à cette adresse. Ouvrez le lien exactement comme il vous a été envoyé.',
  tooManyRequests: 'Trop de demandes',
  tooManyRequestsAdvice:
    'Votre réseau a envoyé trop de demandes en peu de temps. Celle-ci n’a donné lieu à aucun débit. Patientez quelques secondes, puis réessayez.',
  formTooLarge: 'Le formulaire est trop volumineux',
  unreadable: 'Le formulaire est illisible',
  fillInAgain: 'Revenez en arrière, rechargez la page et remplissez à nouveau le formulaire.',
  broken: 'Une erreur s’est produite',
  brokenAdvice:
    'L’erreur vient de nous. Ouvrez à nouveau votre lien : si votre paiement a abouti, il l’indique ; sinon, réessayez.',
}
