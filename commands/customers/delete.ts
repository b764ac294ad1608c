import { customers } from '../../src/api/customers.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { callOf } from '../../src/cli/call.ts'
import { dryRunFlag } from '../../src/cli/create-flags.ts'
import { idArg } from '../../src/cli/id-arg.ts'

export default class CustomersDelete extends BaseCommand {
  static override call = callOf(customers.delete)
  static override summary = customers.delete.summary
  static override aliases = ['customers:rm']
  static override args = idArg('cus_4bT9…')
  static override flags = dryRunFlag
  static override examples = ['<%= config.bin %> <%= command.id %> cus_4bT9…']
}
