import { customers } from '../../src/api/operations/customers.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { changeFlags } from '../../src/cli/parse/change-flags.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class CustomersUpdate extends BaseCommand {
  static override call = manifestCall(customers.update)
  static override summary = 'Update a customer'
  static override args = idArg('cus_4bT9…')
  static override flags = { ...flagsOf(customers.update.params), ...changeFlags }
  static override examples = [
    "<%= config.bin %> <%= command.id %> cus_4bT9… --name 'Ada Lovelace'",
    "<%= config.bin %> <%= command.id %> cus_4bT9… --phone '' --metadata tier=gold",
  ]
}
