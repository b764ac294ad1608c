import { customers } from '../../src/api/customers.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { idArg } from '../../src/cli/id-arg.ts'

export default class CustomersDelete extends BaseCommand {
  static override summary = customers.delete.summary
  static override aliases = ['customers:rm']
  static override args = idArg('cus_4bT9…')
  static override examples = ['<%= config.bin %> <%= command.id %> cus_4bT9…']

  override run(): Promise<void> {
    return this.callFromFlags(customers.delete)
  }
}
