import type { DiscountMessages } from './messages.ts'

/** The texts about discounts and promotion codes in German. */
export const DE_DISCOUNTS: DiscountMessages = {
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
}
