import { customers } from '../../src/api/operations/customers.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class CustomersRetrieve extends operationCommand(customers.retrieve, 'cus_4bT9…') {
  static override summary = 'Retrieve a customer'
  static override aliases = ['customers:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> cus_4bT9…',
    '<%= config.bin %> <%= command.id %> cus_4bT9… --json',
    '<%= config.bin %> <%= command.id %> cus_4bT9… --field id',
  ]
}
