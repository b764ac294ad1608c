import { customers } from '../../src/api/operations/customers.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class CustomersRetrieve extends BaseCommand {
  static override call = manifestCall(customers.retrieve)
  static override summary = 'Retrieve a customer'
  static override aliases = ['customers:get']
  static override args = idArg('cus_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> cus_4bT9…',
    '<%= config.bin %> <%= command.id %> cus_4bT9… --json',
    '<%= config.bin %> <%= command.id %> cus_4bT9… --field id',
  ]
}
