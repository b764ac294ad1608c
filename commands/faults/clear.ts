import { faults } from '../../src/api/operations/faults.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(faults.clear, {
  summary: 'Delete all faults',
  description: 'The server sends the webhook deliveries that faults delay or hold.',
  examples: ['', '--field deleted'],
})
