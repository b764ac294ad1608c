/** The texts of the test bar in English. */
export const EN_TEST_BAR = {
  testCards: 'test cards',
  testCardsHow: 'Only test cards are accepted, with any future expiry date and any security code.',
  outcomes: {
    visa: 'Succeeds',
    declined: 'Declined',
    insufficient_funds: 'Insufficient funds',
    sca_required: '3-D Secure',
    sca_declined: '3-D Secure, then declined',
    expired: 'Expired card',
    incorrect_cvc: 'Wrong security code',
    slow: 'Slow bank',
  },
  onlyLocal: 'Only this machine can see this section.',
  tryOutcome: 'Try an outcome',
  eventsSent: 'Related events, newest first',
  noEvents: 'No events yet.',
  noEndpoint: 'not sent to any endpoint',
  responseStatus: '{status} in {ms} ms',
  notDelivered: 'not delivered',
  toBeSent: 'pending',
  reload: 'Reload',
}
