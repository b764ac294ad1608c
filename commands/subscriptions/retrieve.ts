import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class SubscriptionsRetrieve extends BaseCommand {
  static override call = manifestCall(subscriptions.retrieve)
  static override summary = 'Retrieve a subscription'
  static override aliases = ['subscriptions:get']
  static override args = idArg('sub_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> sub_4bT9…',
    '<%= config.bin %> <%= command.id %> sub_4bT9… --json',
    '<%= config.bin %> <%= command.id %> sub_4bT9… --field id',
  ]
}
