import { FR_DEBITS } from './fr-debits.ts'
import { FR_DISCOUNTS } from './fr-discounts.ts'
import { FR_ERRORS } from './fr-errors.ts'
import { FR_PORTAL } from './fr-portal.ts'
import { FR_TEST_BAR } from './fr-test-bar.ts'
import type { Messages } from './messages.ts'

/** The texts of all pages in French. */
export const FR: Messages = {
  checkout: 'Paiement',
  testMode: 'Mode test',
  languageName: 'Français',
  language: 'Langue',
  changeLanguage: 'Changer',
  footer: 'Propulsé par paycli.',
  errorTitle: 'Erreur : {title}',

  yourSubscription: 'Votre abonnement',
  toPay: 'À payer',
  toReserve: 'À réserver',
  forCustomer: 'Pour {buyer}',
  nameAndEmail: '{name}, {email}',
  paidOnce: 'Paiement unique. Votre carte n’est pas enregistrée.',
  paidOnceCardSaved: 'Paiement unique. Votre carte est enregistrée pour des paiements ultérieurs.',
  onlyReserved:
    'Ce montant est seulement réservé sur votre carte, pour sept jours au plus. Au maximum ce montant est débité ; le reste est libéré.',
  item: 'Article',
  itemTaxed: '{every}, plus {percent} de taxe',
  subtotal: 'Sous-total',
  creditUsed: 'Déduction de votre avoir',
  tax: 'Taxe {percent}',
  totalDueToday: 'Total à payer aujourd’hui',
  dueToday: 'À payer aujourd’hui',
  firstInvoice: 'Première facture',

  payWithWallet: 'Payer avec le portefeuille',
  orPayWithCard: 'ou payer par carte',
  walletCard: '{card} (portefeuille de test)',
  decline: 'Refuser',
  cancel: 'Annuler',
  simulatedWallet: 'Cette page simule la fenêtre d’un portefeuille. « Refuser » refuse le paiement.',

  every: {
    day: { one: 'chaque jour', other: 'tous les {count} jours' },
    week: { one: 'chaque semaine', other: 'toutes les {count} semaines' },
    month: { one: 'chaque mois', other: 'tous les {count} mois' },
    year: { one: 'chaque année', other: 'tous les {count} ans' },
  },
  minutes: { one: 'une minute', other: '{count} minutes' },

  chargedNow: '{total} sont débités aujourd’hui. Le prochain paiement a lieu le {next}, puis {every}.',
  chargedNowSince:
    '{total} sont débités aujourd’hui pour la période commencée le {start}. Le prochain paiement a lieu le {next}, puis {every}.',
  chargedLater:
    'Rien n’est débité aujourd’hui. Votre carte est enregistrée, et {total} seront débités le {next}, puis {every}.',
  chargedNever:
    'Rien n’est débité : le total est de {total}. Votre carte est enregistrée pour l’abonnement, renouvelé {every}.',
  invoicedNow:
    'Une facture de {total} vous est envoyée par e-mail maintenant. La suivante part le {next}, puis {every}.',
  invoicedNowSince:
    'Une facture de {total} pour la période commencée le {start} vous est envoyée par e-mail maintenant. La suivante part le {next}, puis {every}.',
  invoicedLater:
    'Rien n’est dû aujourd’hui. La première facture, de {total}, est envoyée le {next}, puis {every}.',
  invoicedNever: 'Il n’y a rien à payer : le total est de {total}. L’abonnement est renouvelé {every}.',
  trialPrice: 'Gratuit jusqu’au {next}, puis {total} {every}',
  trialThenFree:
    'L’essai dure jusqu’au {next}. Rien n’est débité ensuite non plus : le total est de {total}.',
  chargedCredit:
    'Rien n’est débité aujourd’hui : votre avoir couvre le montant. Votre carte est enregistrée. Le prochain paiement a lieu le {next}, puis {every}.',
  invoicedCredit:
    'Rien n’est dû aujourd’hui : votre avoir couvre le montant. La prochaine facture est envoyée le {next}, puis {every}.',
  payAtOnce: 'Chaque facture est à payer immédiatement.',
  payWithin: {
    one: 'Chaque facture est à payer sous un jour.',
    other: 'Chaque facture est à payer sous {count} jours.',
  },
  consentCharge:
    'En vous abonnant, vous autorisez le débit de {total} sur votre carte {every}, jusqu’à la résiliation de l’abonnement.',
  consentSaving:
    'En vous abonnant, vous autorisez l’enregistrement de votre carte pour l’abonnement, renouvelé {every} jusqu’à sa résiliation.',
  consentInvoice:
    'En vous abonnant, vous acceptez d’être facturé de {total} {every}, jusqu’à la résiliation de l’abonnement.',
  consentRenewal:
    'En vous abonnant, vous acceptez que l’abonnement soit renouvelé {every} jusqu’à sa résiliation.',
  consentLaterPayments:
    'En payant, vous autorisez l’enregistrement de votre carte et son débit pour des paiements ultérieurs.',
  consentTrial:
    'En vous abonnant, vous acceptez que l’abonnement coûte {total} {every} après l’essai, jusqu’à sa résiliation.',

  subscribe: 'S’abonner',
  pay: 'Payer {amount}',
  reserve: 'Réserver {amount}',
  payAndSubscribe: 'Payer {amount} et s’abonner',
  saveAndSubscribe: 'Enregistrer la carte et s’abonner',
  startTrial: 'Commencer l’essai',
  connectionLost: 'Connexion perdue',
  connectionLostHow:
    'Nous ne savons pas si votre formulaire est arrivé. Réessayez : rien n’est débité deux fois.',
  done: 'Terminé',
  working: 'Traitement en cours…',
  cardDetails: 'Données de la carte',
  confirm: 'Confirmer',
  noCardNeeded: 'Aucune carte n’est nécessaire : vous payez sur facture.',
  noCardForTrial: 'Aucune carte n’est nécessaire pour l’essai.',
  cardNumber: 'Numéro de carte',
  expiry: 'Expiration',
  monthSlashYear: 'MM / AA',
  securityCode: 'Code de sécurité',
  nameOnCard: 'Nom sur la carte',
  optional: '(facultatif)',

  checkDetails: 'Vérifiez vos informations',
  nothingCharged: 'Rien n’a été débité.',
  sendAgain: 'Veuillez renvoyer le formulaire',
  sendAgainWhy: 'Il est resté ouvert trop longtemps ou ne venait pas de cette page. Rien n’a été débité.',
  cardDeclined: 'Carte refusée',
  notConfirmed: 'Paiement non confirmé',
  cardNotCharged: 'La carte se terminant par {last4} n’a pas été débitée.',
  tooManyDeclines: 'Trop de tentatives refusées',
  tooManyDeclinesWait:
    'Trop de cartes ont été refusées ici ; aucune autre n’est essayée pour le moment. Rien n’a été débité. Revenez dans {minutes}, ou demandez à votre banque ce qui ne va pas.',
  tooManyDeclinesClock:
    'Trop de cartes ont été refusées ici ; aucune autre n’est essayée pour le moment. Rien n’a été débité. Avancez l’horloge de test de {minutes}, ou demandez à votre banque ce qui ne va pas.',
  backToForm: 'Retour au formulaire',

  confirmPayment: 'Confirmez votre paiement',
  confirmCard: 'Confirmez votre carte',
  bankAsksPaying: 'Votre banque demande si c’est bien vous qui payez.',
  bankAsksSaving: 'Votre banque demande si c’est bien vous qui enregistrez cette carte.',
  amountToday: 'Montant aujourd’hui',
  card: 'Carte',
  cardEnding: '{brand} se terminant par {last4}',
  approve: 'Approuver',
  reject: 'Refuser',
  useAnotherCard: 'Utiliser une autre carte',
  confirmWithBank: 'Confirmer auprès de la banque',
  simulatedBankPage: 'Cette page simule la page 3-D Secure d’une banque.',
  chooseOne: 'Faites votre choix',
  chooseOneHow: 'Appuyez sur Approuver ou Refuser.',
  nothingToConfirm: 'Plus rien à confirmer',
  challengeNoLongerValid:
    'Cette confirmation a déjà reçu une réponse, ou une autre carte a été utilisée ensuite.',
  expiredUnconfirmed: 'Le lien a expiré avant la confirmation : rien n’a été débité.',
  canceledUnconfirmed: 'La demande a été annulée avant la confirmation : rien n’a été débité.',
  answered: 'Cette confirmation a déjà reçu une réponse.',
  showResult: 'Voir le résultat',

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

  updateCard: 'Mettre à jour votre carte',
  currentCard: 'Carte actuelle',
  cardUsedFor: 'La nouvelle carte est débitée pour :',
  cardForLater: 'La nouvelle carte est enregistrée pour les prochains paiements.',
  paidNow: 'Payé maintenant avec la nouvelle carte :',
  nothingPaidNow: 'Rien n’est débité aujourd’hui.',
  saveCard: 'Enregistrer la carte',
  saveAndPay: 'Enregistrer la carte et payer {amount}',
  saveAndPayAll: 'Enregistrer la carte et payer les factures',
  consentCard:
    'En enregistrant la carte, vous autorisez son débit pour vos abonnements jusqu’à leur résiliation.',
  cardUpdated: 'Votre carte est à jour',
  cardUpdatedText: 'Merci. Votre nouvelle carte est enregistrée.',
  cardUpdatedPaid: 'Merci. Votre nouvelle carte est enregistrée, et vos factures en attente sont payées.',
  cardUpdatedUnpaid:
    'Votre nouvelle carte est enregistrée, mais votre banque a refusé un paiement. Cette facture reste à régler.',
  alreadyUpdated: 'Carte déjà à jour',
  notPaid: 'Refusé',

  invoice: 'Facture',
  invoiceNumber: 'Facture {number}',
  billedTo: 'Facturée à {buyer}',
  issuedOn: 'Émise le {date}',
  dueOn: 'Échéance le {date}',
  overdueSince: 'Cette facture était à payer pour le {date}.',
  chargeFailed: 'Le paiement a échoué',
  noCardToCharge: 'Aucune carte enregistrée n’a pu être débitée pour cette facture.',
  chargedAgain: 'Un nouveau débit de votre carte enregistrée sera tenté le {date}.',
  payHereNow: 'Vous pouvez payer ici dès maintenant.',
  period: 'du {start} au {end}',
  unusedTime: 'Temps non utilisé, du {start} au {end}',
  remainingTime: 'Temps restant, du {start} au {end}',
  total: 'Total',
  amountPaid: 'Déjà payé',
  amountRemaining: 'Reste à payer',
  cardOnlyForThis: 'La carte est débitée pour cette facture seulement et n’est pas enregistrée.',
  keepCard: 'Utiliser cette carte désormais',
  keepCardHow:
    'La carte est enregistrée et débitée pour les prochaines factures de votre abonnement. Sinon, elle est débitée pour cette facture seulement et n’est pas enregistrée.',
  paidOn: 'Payé le {date}',
  seller: 'Vendeur',
  customer: 'Client',
  servicePeriod: 'Période de service',
  refunded: 'Remboursé',
  partlyRefunded: 'Remboursé en partie',
  creditAdded: 'Ajouté à votre avoir',
  print: 'Imprimer',
  downloadPdf: 'Télécharger le PDF',
  pdfIncomplete: 'Ce PDF ne peut pas tout afficher. Le reçu complet se trouve à l’adresse {url}',
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
  askForNew: 'Demandez un nouveau lien à la personne qui vous l’a envoyé.',

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

  showDetails: { one: 'Afficher le détail (1 ligne)', other: 'Afficher le détail ({count} lignes)' },
  noMoneyMoves: 'aucun argent ne circule',
  events: 'événements',
  ...FR_PORTAL,
  ...FR_TEST_BAR,
  ...FR_DEBITS,
  ...FR_DISCOUNTS,
  errors: FR_ERRORS,
}
