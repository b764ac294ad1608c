import type { TestBarMessages } from './messages.ts'

/** The texts of the test bar in Spanish. */
export const ES_TEST_BAR: TestBarMessages = {
  testCards: 'tarjetas de prueba',
  testCardsHow: 'Solo se aceptan tarjetas de prueba, con cualquier caducidad futura y cualquier código.',
  outcomes: {
    visa: 'Se aprueba',
    declined: 'Rechazada',
    insufficient_funds: 'Fondos insuficientes',
    sca_required: '3-D Secure',
    sca_declined: '3-D Secure, luego rechazada',
    expired: 'Tarjeta caducada',
    incorrect_cvc: 'Código incorrecto',
    slow: 'Banco lento',
  },
  onlyLocal: 'Solo esta máquina ve esta parte.',
  tryOutcome: 'Elegir un resultado paga al instante. Un número de tarjeta solo rellena el formulario.',
  eventsSent: 'Eventos relacionados, el más reciente primero',
  noEvents: 'Aún no hay eventos.',
  showEvents: 'Mostrar los eventos',
  noEndpoint: 'no se envió a ningún destino',
  responseStatus: '{status} en {ms} ms',
  notDelivered: 'no entregado',
  toBeSent: 'por enviar',
  reload: 'Recargar',
}
