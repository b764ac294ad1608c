import { invoiceItems } from '../../src/api/operations/invoice-items.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class InvoiceItemsRetrieve extends operationCommand(invoiceItems.retrieve, 'ii_4bT9…') {
  static override summary = 'Retrieve an invoice item'
  static override aliases = ['invoice-items:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> ii_4bT9…',
    '<%= config.bin %> <%= command.id %> ii_4bT9… --field invoice',
  ]
}
