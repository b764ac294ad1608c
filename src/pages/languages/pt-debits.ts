import type { DebitMessages } from './messages.ts'

/** The texts about direct debits in Portuguese. */
export const PT_DEBITS: DebitMessages = {
  payByDebit: 'Pagar com débito SEPA',
  iban: 'IBAN',
  holder: 'Titular da conta',
  mandate:
    'Ao continuar, você autoriza o comerciante a debitar da sua conta este pagamento e os que forem combinados depois. Seu banco devolve um débito se você pedir em até oito semanas.',
  bankAccount: 'Conta bancária',
  debitSubmitted: 'Pagamento enviado',
  debitSubmittedText:
    'Obrigado. Sua conta será debitada nos próximos dias. O pagamento se completa quando seu banco o confirma.',
  debitFailed: 'O pagamento falhou',
  debitFailedText: 'Seu banco devolveu o débito, portanto nada foi pago.',
}
