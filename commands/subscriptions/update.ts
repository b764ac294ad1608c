import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class SubscriptionsUpdate extends operationCommand(subscriptions.update, 'sub_4bT9…', [
  'pause_collection',
]) {
  static override summary = 'Update a subscription that is not canceled'
  static override examples = [
    '<%= config.bin %> <%= command.id %> sub_4bT9… --cancel-at-period-end',
    '<%= config.bin %> <%= command.id %> sub_4bT9… --no-cancel-at-period-end',
    '<%= config.bin %> <%= command.id %> sub_4bT9… --trial-end now',
    '<%= config.bin %> <%= command.id %> sub_4bT9… --default-payment-method pm_4bT9… --metadata tier=gold',
  ]
}
