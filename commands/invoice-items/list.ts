import { invoiceItems } from '../../src/api/operations/invoice-items.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class InvoiceItemsList extends operationCommand(invoiceItems.list) {
  static override summary = 'List invoice items, newest first'
  static override aliases = ['invoice-items:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --subscription sub_4bT9…',
    '<%= config.bin %> <%= command.id %> --invoice in_4bT9… --json',
  ]
}
