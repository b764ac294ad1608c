import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(testClocks.list, {
  summary: 'List test clocks, newest first',
  examples: ['', '--json'],
})
