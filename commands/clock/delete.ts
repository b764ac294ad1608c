import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(testClocks.delete, { summary: 'Delete a test clock and its customers' })
