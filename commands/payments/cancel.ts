import { payments } from '../../src/api/operations/payments.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(payments.cancel, {
  summary: 'Cancel a payment that requires authentication or capture',
})
