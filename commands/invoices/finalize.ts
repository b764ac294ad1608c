import { invoices } from '../../src/api/operations/invoices.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class InvoicesFinalize extends operationCommand(invoices.finalize, 'in_4bT9…') {
  static override summary = 'Finalize a draft invoice'
  static override examples = [
    '<%= config.bin %> <%= command.id %> in_4bT9…',
    '<%= config.bin %> <%= command.id %> in_4bT9… --auto-advance',
  ]
}
