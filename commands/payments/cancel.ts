import { payments } from '../../src/api/operations/payments.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(payments.cancel, {
  summary: 'Cancel a payment that requires authentication or capture',
})
