import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { changeFlags } from '../../src/cli/parse/change-flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class SubscriptionsCancel extends BaseCommand {
  static override call = manifestCall(subscriptions.cancel)
  static override summary = 'Cancel a subscription immediately, without a refund'
  static override args = idArg('sub_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> sub_4bT9…']
}
