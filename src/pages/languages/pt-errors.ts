import type { Messages } from './messages.ts'

/** The error messages in Portuguese. */
export const PT_ERRORS: Messages['errors'] = {
  declined: 'Seu cartão foi recusado. Tente outro cartão ou pergunte o motivo ao seu banco.',
  blocked: 'Seu cartão foi recusado. Use outro cartão.',
  noFunds: 'Seu cartão não tem saldo suficiente. Tente outro cartão.',
  velocity:
    'Seu cartão foi usado vezes demais ou acima do limite. Tente novamente mais tarde ou use outro cartão.',
  processingError: 'Ocorreu um erro ao processar o seu cartão. Tente novamente em instantes.',
  notTestCard:
    'Este número não é de um cartão de teste, e nenhum cartão real pode ser cobrado aqui. Use um cartão de teste.',
  cardExpired: 'Seu cartão venceu. Use outro cartão.',
  numberIncorrect: 'O número do cartão está incorreto. Verifique-o e digite-o novamente.',
  codeIncorrect: 'O código de segurança do cartão está incorreto. Verifique-o e digite-o novamente.',
  mustConfirm: 'Seu banco pede que você confirme este pagamento. Pague novamente e confirme quando pedido.',
  notAuthenticated:
    'Você não foi autenticado, por isso nada foi pago. Pague novamente e confirme, ou use outro cartão.',
  numberMissing: 'Digite o número do cartão.',
  numberInvalid: 'Este número de cartão não é válido. Verifique-o e digite-o novamente.',
  expiryInvalid: 'Digite a data de validade como mês e ano, por exemplo 12/30.',
  monthInvalid: 'Digite o mês de validade como um número de 1 a 12.',
  yearInvalid: 'Digite o ano de validade com dois ou quatro algarismos, como 30 ou 2030.',
  yearPast: 'O ano de validade do cartão já passou. Verifique-o ou use outro cartão.',
  monthPast: 'O mês de validade do cartão já passou. Verifique-o ou use outro cartão.',
  code3: 'Digite o código de segurança do cartão: 3 algarismos.',
  code4: 'Digite o código de segurança do cartão: 4 algarismos.',
  code3or4: 'Digite o código de segurança do cartão: 3 ou 4 algarismos.',
  nameTooLong: 'Digite o nome em até 256 caracteres, em uma só linha.',
  nameIsNumber: 'Isto parece um número de cartão. Digite o nome impresso no cartão.',
  codeUnknown: 'Este código promocional não é válido. Confira-o e digite-o novamente.',
  codeExpired: 'Este código promocional expirou.',
  codeExhausted: 'Este código promocional está esgotado.',
  codeNotApplicable: 'Este código promocional não se aplica a esta assinatura.',
  ibanMissing: 'Digite o IBAN da sua conta bancária.',
  ibanInvalid: 'Este IBAN não é válido. Verifique-o e digite-o novamente.',
  notTestIban:
    'Este não é um IBAN de teste, e nenhuma conta real pode ser debitada aqui. Use um IBAN de teste.',
  holderMissing: 'Digite o nome do titular da conta.',
}
