import { customers } from '../../src/api/operations/customers.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class CustomersDelete extends operationCommand(customers.delete, 'cus_4bT9…') {
  static override summary = 'Delete a customer'
  static override aliases = ['customers:rm']
  static override examples = ['<%= config.bin %> <%= command.id %> cus_4bT9…']
}
