import type { TestBarMessages } from './messages.ts'

/** The texts of the test bar in Portuguese. */
export const PT_TEST_BAR: TestBarMessages = {
  testCards: 'cartões de teste',
  testCardsHow: 'Só são aceitos cartões de teste, com qualquer validade futura e qualquer código.',
  outcomes: {
    visa: 'Aprovado',
    declined: 'Recusado',
    insufficient_funds: 'Saldo insuficiente',
    sca_required: '3-D Secure',
    sca_declined: '3-D Secure, depois recusado',
    expired: 'Cartão vencido',
    incorrect_cvc: 'Código incorreto',
    slow: 'Banco lento',
  },
  onlyLocal: 'Só esta máquina vê esta parte.',
  tryOutcome: 'Escolher um resultado paga na hora. Um número de cartão só preenche o formulário.',
  eventsSent: 'Eventos relacionados, mais recentes primeiro',
  noEvents: 'Ainda não há eventos.',
  showEvents: 'Mostrar os eventos',
  noEndpoint: 'não enviado a nenhum destino',
  responseStatus: '{status} em {ms} ms',
  notDelivered: 'não entregue',
  toBeSent: 'a enviar',
  reload: 'Recarregar',
}
