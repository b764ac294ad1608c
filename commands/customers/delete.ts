import { customers } from '../../src/api/operations/customers.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { dryRunFlag } from '../../src/cli/parse/change-flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class CustomersDelete extends BaseCommand {
  static override call = manifestCall(customers.delete)
  static override summary = 'Delete a customer'
  static override aliases = ['customers:rm']
  static override args = idArg('cus_4bT9…')
  static override flags = dryRunFlag
  static override examples = ['<%= config.bin %> <%= command.id %> cus_4bT9…']
}
