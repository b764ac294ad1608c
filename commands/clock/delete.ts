import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(testClocks.delete, { summary: 'Delete a test clock and its customers' })
