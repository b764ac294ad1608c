import { customers } from '../../src/api/operations/customers.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class CustomersList extends BaseCommand {
  static override call = manifestCall(customers.list)
  static override summary = 'List customers, newest first'
  static override aliases = ['customers:ls']
  static override flags = flagsOf(customers.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --email ada@example.com',
    '<%= config.bin %> <%= command.id %> --created-gte 2026-01-01 --limit 100',
    '<%= config.bin %> <%= command.id %> --test-clock clock_4bT9…',
    "<%= config.bin %> <%= command.id %> --field 'data[].id'",
  ]
}
