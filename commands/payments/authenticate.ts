import { payments } from '../../src/api/operations/payments.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(payments.authenticate, {
  summary: 'Approve or reject 3-D Secure for a payment',
  description:
    'Approves or rejects for the cardholder, as the page of the payment does. Exits with 6 if the payment fails.',
  examples: ['py_4bT9…', 'py_4bT9… --three-d-secure reject'],
})
