import { customers } from '../../src/api/operations/customers.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class CustomersUpdate extends operationCommand(customers.update, 'cus_4bT9…') {
  static override summary = 'Update a customer'
  static override examples = [
    "<%= config.bin %> <%= command.id %> cus_4bT9… --name 'Ada Lovelace'",
    "<%= config.bin %> <%= command.id %> cus_4bT9… --phone '' --metadata tier=gold",
  ]
}
