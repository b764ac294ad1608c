import type { DiscountMessages } from './messages.ts'

/** The texts about discounts and promotion codes in French. */
export const FR_DISCOUNTS: DiscountMessages = {
  discount: 'Remise',
  discountOnce: 'premier paiement uniquement',
  discountMonths: { one: 'pendant un mois', other: 'pendant {count} mois' },
  promotionCode: 'Code promo',
  applyCode: 'Appliquer',
  removeCode: 'Supprimer',
  chargedDiscount:
    'Rien n’est débité aujourd’hui : la remise couvre le montant. Votre carte est enregistrée. Le prochain paiement a lieu le {next}, puis {every}.',
  invoicedDiscount:
    'Rien n’est dû aujourd’hui : la remise couvre le montant. La prochaine facture est envoyée le {next}, puis {every}.',
  discountGone: 'La remise n’est plus disponible',
}
