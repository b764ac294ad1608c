import { invoiceItems } from '../../src/api/operations/invoice-items.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class InvoiceItemsDelete extends operationCommand(invoiceItems.delete, 'ii_4bT9…') {
  static override summary = 'Delete a pending invoice item'
  static override aliases = ['invoice-items:rm']
  static override examples = ['<%= config.bin %> <%= command.id %> ii_4bT9…']
}
