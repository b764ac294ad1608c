import { faults } from '../../src/api/operations/faults.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class FaultsDelete extends operationCommand(faults.delete, 'flt_4bT9…') {
  static override summary = 'Delete a fault'
  static override description = 'The server sends the webhook deliveries that the fault delays or holds.'
  static override aliases = ['faults:rm']
  static override examples = ['<%= config.bin %> <%= command.id %> flt_4bT9…']
}
