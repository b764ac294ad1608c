import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { definePaymentRetrieveCommand } from '../../src/cli/command/payment-retrieve-command.ts'

export default definePaymentRetrieveCommand(paymentSessions.retrieve, 'payment_sessions', {
  summary: 'Retrieve a payment session',
  description: 'With the id of a payment, retrieves the payment.',
  examples: ['py_sess_4bT9…', 'py_sess_4bT9… --json', 'py_sess_4bT9… --field status'],
})
