import { subscriptions } from '../../src/api/subscriptions.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { callOf } from '../../src/cli/call.ts'
import { flagsOf } from '../../src/cli/flags.ts'

export default class SubscriptionsList extends BaseCommand {
  static override call = callOf(subscriptions.list)
  static override summary = subscriptions.list.summary
  static override aliases = ['subscriptions:ls']
  static override flags = flagsOf(subscriptions.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status active',
    '<%= config.bin %> <%= command.id %> --current-period-end-lt 2026-02-01',
  ]
}
