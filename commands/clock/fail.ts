import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(testClocks.fail, {
  summary: 'Mark a test clock as failed, to test error handling',
})
