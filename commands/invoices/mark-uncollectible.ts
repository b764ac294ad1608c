import { invoices } from '../../src/api/operations/invoices.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class InvoicesMarkUncollectible extends operationCommand(
  invoices.markUncollectible,
  'in_4bT9…',
) {
  static override summary = 'Mark an open invoice as uncollectible'
  static override examples = ['<%= config.bin %> <%= command.id %> in_4bT9…']
}
