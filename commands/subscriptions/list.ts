import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class SubscriptionsList extends BaseCommand {
  static override call = manifestCall(subscriptions.list)
  static override summary = 'List subscriptions, newest first'
  static override aliases = ['subscriptions:ls']
  static override flags = flagsOf(subscriptions.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status active',
    '<%= config.bin %> <%= command.id %> --current-period-end-lt 2026-02-01',
  ]
}
