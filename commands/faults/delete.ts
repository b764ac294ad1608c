import { faults } from '../../src/api/operations/faults.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(faults.delete, {
  summary: 'Delete a fault',
  description: 'The server sends the webhook deliveries that the fault delays or holds.',
})
