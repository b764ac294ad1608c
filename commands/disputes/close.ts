import { disputes } from '../../src/api/operations/disputes.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(disputes.close, { summary: 'Accept a dispute, which is then lost' })
