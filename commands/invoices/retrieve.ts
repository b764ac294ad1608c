import { invoices } from '../../src/api/operations/invoices.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class InvoicesRetrieve extends operationCommand(invoices.retrieve, 'in_4bT9…') {
  static override summary = 'Retrieve an invoice'
  static override aliases = ['invoices:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> in_4bT9…',
    '<%= config.bin %> <%= command.id %> in_4bT9… --json',
    '<%= config.bin %> <%= command.id %> in_4bT9… --field id',
  ]
}
