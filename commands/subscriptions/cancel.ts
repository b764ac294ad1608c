import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class SubscriptionsCancel extends operationCommand(subscriptions.cancel, 'sub_4bT9…') {
  static override summary = 'Cancel a subscription immediately, without a refund'
  static override examples = [
    '<%= config.bin %> <%= command.id %> sub_4bT9…',
    '<%= config.bin %> <%= command.id %> sub_4bT9… --prorate --invoice-now',
  ]
}
