import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(testClocks.list, {
  summary: 'List test clocks, newest first',
  examples: ['', '--json'],
})
