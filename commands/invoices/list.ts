import { invoices } from '../../src/api/operations/invoices.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class InvoicesList extends operationCommand(invoices.list) {
  static override summary = 'List invoices, newest first'
  static override aliases = ['invoices:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status open',
    '<%= config.bin %> <%= command.id %> --subscription sub_4bT9… --json',
  ]
}
