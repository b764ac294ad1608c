import { faults } from '../../src/api/operations/faults.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(faults.delete, {
  summary: 'Delete a fault',
  description: 'The server sends the webhook deliveries that the fault delays or holds.',
})
