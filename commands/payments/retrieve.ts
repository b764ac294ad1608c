import { payments } from '../../src/api/operations/payments.ts'
import { definePaymentRetrieveCommand } from '../../src/cli/command/payment-retrieve-command.ts'

export default definePaymentRetrieveCommand(payments.retrieve, 'payments', {
  summary: 'Retrieve a payment',
  description: 'With the id of a payment session, retrieves the session.',
  aliases: ['payments:attempt'],
  examples: ['py_4bT9…', 'py_4bT9… --json', 'py_4bT9… --field decline_code'],
})
