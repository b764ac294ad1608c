import { payments } from '../../src/api/operations/payments.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
import { summarizePayment } from '../../src/cli/views/result-summary.ts'

export default defineOperationCommand(payments.capture, {
  summary: 'Capture a reserved amount, or a part of it',
  description:
    'Collects the amount of a payment with --capture-method manual, and releases the rest. A payment can be captured once. Exits with 6 if the capture is declined.',
  examples: ['py_4bT9…', 'py_4bT9… --amount 3000'],
  note: summarizePayment,
})
