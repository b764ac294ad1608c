import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(testClocks.fail, {
  summary: 'Mark a test clock as failed, to test error handling',
})
