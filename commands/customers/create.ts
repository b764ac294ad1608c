import { customers } from '../../src/api/operations/customers.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class CustomersCreate extends operationCommand(customers.create) {
  static override summary = 'Create a customer'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --email ada@example.com',
    "<%= config.bin %> <%= command.id %> --email ada@example.com --name 'Ada Lovelace' --metadata order=1042",
    '<%= config.bin %> <%= command.id %> --email ada@example.com --field id',
    '<%= config.bin %> <%= command.id %> --email ada@example.com --test-clock clock_4bT9…',
    '<%= config.bin %> <%= command.id %> --from-file customer.json',
    '<%= config.bin %> <%= command.id %> --email ada@example.com --idempotency-key import-1042',
  ]
}
