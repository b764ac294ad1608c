import { paymentMethods } from '../../src/api/operations/payment-methods.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(paymentMethods.retrieve, {
  summary: 'Retrieve a saved card',
  examples: ['pm_4bT9…', 'pm_4bT9… --json', 'pm_4bT9… --field card.test_behavior'],
})
