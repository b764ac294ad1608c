import { customers } from '../../src/api/operations/customers.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class CustomersList extends operationCommand(customers.list) {
  static override summary = 'List customers, newest first'
  static override aliases = ['customers:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --email ada@example.com',
    '<%= config.bin %> <%= command.id %> --created-gte 2026-01-01 --limit 100',
    '<%= config.bin %> <%= command.id %> --test-clock clock_4bT9…',
    "<%= config.bin %> <%= command.id %> --field 'data[].id'",
  ]
}
