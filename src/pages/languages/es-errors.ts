import type { Messages } from './messages.ts'

/** The error messages in Spanish. */
export const ES_ERRORS: Messages['errors'] = {
  declined: 'Su tarjeta fue rechazada. Pruebe con otra tarjeta o pregunte el motivo a su banco.',
  blocked: 'Su tarjeta fue rechazada. Use otra tarjeta.',
  noFunds: 'Su tarjeta no tiene fondos suficientes. Pruebe con otra tarjeta.',
  velocity:
    'Su tarjeta se usó demasiadas veces o por encima de su límite. Inténtelo más tarde o use otra tarjeta.',
  processingError: 'Se produjo un error al procesar su tarjeta. Inténtelo de nuevo en un momento.',
  notTestCard:
    'Este número no es de una tarjeta de prueba, y aquí no se puede cobrar en tarjetas reales. Use una tarjeta de prueba.',
  cardExpired: 'Su tarjeta ha caducado. Use otra tarjeta.',
  numberIncorrect: 'El número de su tarjeta es incorrecto. Compruébelo y escríbalo de nuevo.',
  codeIncorrect: 'El código de seguridad de su tarjeta es incorrecto. Compruébelo y escríbalo de nuevo.',
  mustConfirm: 'Su banco le pide que confirme este pago. Pague de nuevo y confírmelo cuando se le pida.',
  notAuthenticated:
    'No se confirmó su identidad, así que no se pagó nada. Pague de nuevo y confírmelo, o use otra tarjeta.',
  numberMissing: 'Escriba un número de tarjeta.',
  numberInvalid: 'Este número de tarjeta no es válido. Compruébelo y escríbalo de nuevo.',
  expiryInvalid: 'Escriba la fecha de caducidad como mes y año, por ejemplo 12/30.',
  monthInvalid: 'Escriba el mes de caducidad como un número del 1 al 12.',
  yearInvalid: 'Escriba el año de caducidad con dos o cuatro cifras, como 30 o 2030.',
  yearPast: 'El año de caducidad de la tarjeta ya pasó. Compruébelo o use otra tarjeta.',
  monthPast: 'El mes de caducidad de la tarjeta ya pasó. Compruébelo o use otra tarjeta.',
  code3: 'Escriba el código de seguridad de la tarjeta: 3 cifras.',
  code4: 'Escriba el código de seguridad de la tarjeta: 4 cifras.',
  code3or4: 'Escriba el código de seguridad de la tarjeta: 3 o 4 cifras.',
  nameTooLong: 'Escriba el nombre con un máximo de 256 caracteres, en una sola línea.',
  nameIsNumber: 'Esto parece un número de tarjeta. Escriba el nombre que figura en la tarjeta.',
  codeUnknown: 'Este código promocional no es válido. Revíselo y vuelva a introducirlo.',
  codeExpired: 'Este código promocional ha caducado.',
  codeExhausted: 'Este código promocional está agotado.',
  codeNotApplicable: 'Este código promocional no se aplica a esta suscripción.',
  ibanMissing: 'Introduzca el IBAN de su cuenta bancaria.',
  ibanInvalid: 'Este IBAN no es válido. Compruébelo e introdúzcalo de nuevo.',
  notTestIban:
    'Este no es un IBAN de prueba, y aquí no se puede cargar en cuentas reales. Use un IBAN de prueba.',
  holderMissing: 'Introduzca el nombre del titular de la cuenta.',
}
