import { invoices } from '../../src/api/operations/invoices.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class InvoicesVoid extends operationCommand(invoices.void, 'in_4bT9…') {
  static override summary = 'Void an invoice'
  static override examples = ['<%= config.bin %> <%= command.id %> in_4bT9…']
}
