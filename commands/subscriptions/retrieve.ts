import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class SubscriptionsRetrieve extends operationCommand(subscriptions.retrieve, 'sub_4bT9…') {
  static override summary = 'Retrieve a subscription'
  static override aliases = ['subscriptions:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> sub_4bT9…',
    '<%= config.bin %> <%= command.id %> sub_4bT9… --json',
    '<%= config.bin %> <%= command.id %> sub_4bT9… --field id',
  ]
}
