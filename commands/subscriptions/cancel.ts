import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { changeFlags } from '../../src/cli/parse/create-flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { callOf } from '../../src/cli/request/call.ts'

export default class SubscriptionsCancel extends BaseCommand {
  static override call = callOf(subscriptions.cancel)
  static override summary = subscriptions.cancel.summary
  static override args = idArg('sub_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> sub_4bT9…']
}
