import { faults } from '../../src/api/operations/faults.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(faults.list, {
  summary: 'List faults with the numbers of their matches',
  description:
    'matched counts the requests, deliveries or payments that a fault matches, and applied counts the matches to which the fault was applied.',
  examples: ['', '--json'],
})
