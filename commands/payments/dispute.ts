import { payments } from '../../src/api/operations/payments.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(payments.dispute, {
  summary: 'Dispute a succeeded payment for the cardholder',
  examples: [
    'py_4bT9… --reason fraudulent',
    'py_4bT9… --reason duplicate --amount 500',
    'py_4bT9… --reason unrecognized --inquiry',
  ],
})
