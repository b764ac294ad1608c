import { disputes } from '../../src/api/operations/disputes.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(disputes.close, { summary: 'Accept a dispute, which is then lost' })
