import { paymentMethods } from '../../src/api/operations/payment-methods.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(paymentMethods.retrieve, {
  summary: 'Retrieve a saved card',
  examples: ['pm_4bT9…', 'pm_4bT9… --json', 'pm_4bT9… --field card.test_behavior'],
})
