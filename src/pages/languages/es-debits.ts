import type { DebitMessages } from './messages.ts'

/** The texts about direct debits in Spanish. */
export const ES_DEBITS: DebitMessages = {
  payByDebit: 'Pagar con adeudo SEPA',
  iban: 'IBAN',
  holder: 'Titular de la cuenta',
  mandate:
    'Al continuar, autoriza al comercio a cargar en su cuenta este pago y los que se acuerden después. Su banco devuelve un adeudo si lo solicita en un plazo de ocho semanas.',
  bankAccount: 'Cuenta bancaria',
  debitSubmitted: 'Pago enviado',
  debitSubmittedText:
    'Gracias. El cargo se hará en su cuenta en los próximos días. El pago se completa cuando su banco lo confirma.',
  debitFailed: 'Pago fallido',
  debitFailedText: 'Su banco devolvió el adeudo, así que no se ha pagado nada.',
}
