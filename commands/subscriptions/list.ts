import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class SubscriptionsList extends operationCommand(subscriptions.list) {
  static override summary = 'List subscriptions, newest first'
  static override aliases = ['subscriptions:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status active',
    '<%= config.bin %> <%= command.id %> --current-period-end-lt 2026-02-01',
  ]
}
