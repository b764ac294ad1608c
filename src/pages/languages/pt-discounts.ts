import type { DiscountMessages } from './messages.ts'

/** The texts about discounts and promotion codes in Portuguese. */
export const PT_DISCOUNTS: DiscountMessages = {
  discount: 'Desconto',
  discountOnce: 'apenas no primeiro pagamento',
  discountMonths: { one: 'por um mês', other: 'por {count} meses' },
  promotionCode: 'Código promocional',
  applyCode: 'Aplicar',
  removeCode: 'Remover',
  chargedDiscount:
    'Hoje nada é cobrado: o desconto cobre o valor. Seu cartão é guardado. O próximo pagamento é em {next} e, depois, {every}.',
  invoicedDiscount:
    'Hoje não há nada a pagar: o desconto cobre o valor. A próxima fatura é enviada em {next} e, depois, {every}.',
  discountGone: 'O desconto não está mais disponível',
}
