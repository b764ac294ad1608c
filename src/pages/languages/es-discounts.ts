import type { DiscountMessages } from './messages.ts'

/** The texts about discounts and promotion codes in Spanish. */
export const ES_DISCOUNTS: DiscountMessages = {
  discount: 'Descuento',
  discountOnce: 'solo en el primer pago',
  discountMonths: { one: 'durante un mes', other: 'durante {count} meses' },
  promotionCode: 'Código promocional',
  applyCode: 'Aplicar',
  removeCode: 'Quitar',
  chargedDiscount:
    'Hoy no se cobra nada: el descuento cubre el importe. Su tarjeta se guarda. El próximo pago es el {next}, y después {every}.',
  invoicedDiscount:
    'Hoy no hay nada que pagar: el descuento cubre el importe. La próxima factura se envía el {next}, y después {every}.',
  discountGone: 'El descuento ya no está disponible',
}
