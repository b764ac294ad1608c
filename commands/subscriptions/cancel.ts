import { subscriptions } from '../../src/api/subscriptions.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { callOf } from '../../src/cli/call.ts'
import { changeFlags } from '../../src/cli/create-flags.ts'
import { idArg } from '../../src/cli/id-arg.ts'

export default class SubscriptionsCancel extends BaseCommand {
  static override call = callOf(subscriptions.cancel)
  static override summary = subscriptions.cancel.summary
  static override args = idArg('sub_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> sub_4bT9…']
}
