import { customers } from '../../src/api/customers.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { callOf } from '../../src/cli/call.ts'
import { idArg } from '../../src/cli/id-arg.ts'

export default class CustomersRetrieve extends BaseCommand {
  static override call = callOf(customers.retrieve)
  static override summary = customers.retrieve.summary
  static override aliases = ['customers:get']
  static override args = idArg('cus_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> cus_4bT9…',
    '<%= config.bin %> <%= command.id %> cus_4bT9… --json',
    '<%= config.bin %> <%= command.id %> cus_4bT9… --field id',
  ]
}
