import { customers } from '../../src/api/operations/customers.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { createFlags } from '../../src/cli/parse/change-flags.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class CustomersCreate extends BaseCommand {
  static override call = manifestCall(customers.create)
  static override summary = 'Create a customer'
  static override flags = { ...flagsOf(customers.create.params), ...createFlags }
  static override examples = [
    '<%= config.bin %> <%= command.id %> --email ada@example.com',
    "<%= config.bin %> <%= command.id %> --email ada@example.com --name 'Ada Lovelace' --metadata order=1042",
    '<%= config.bin %> <%= command.id %> --email ada@example.com --field id',
    '<%= config.bin %> <%= command.id %> --email ada@example.com --test-clock clock_4bT9…',
    '<%= config.bin %> <%= command.id %> --from-file customer.json',
    '<%= config.bin %> <%= command.id %> --email ada@example.com --idempotency-key import-1042',
  ]
}
