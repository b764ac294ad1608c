import { paymentMethods } from '../../src/api/operations/payment-methods.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(paymentMethods.detach, {
  summary: 'Detach a saved card from its customer',
})
