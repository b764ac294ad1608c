import { subscriptions } from '../../src/api/operations/subscriptions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { changeFlags } from '../../src/cli/parse/change-flags.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class SubscriptionsUpdate extends BaseCommand {
  static override call = manifestCall(subscriptions.update)
  static override summary = 'Update a subscription that is not canceled'
  static override args = idArg('sub_4bT9…')
  static override flags = { ...flagsOf(subscriptions.update.params), ...changeFlags }
  static override examples = [
    '<%= config.bin %> <%= command.id %> sub_4bT9… --cancel-at-period-end',
    '<%= config.bin %> <%= command.id %> sub_4bT9… --no-cancel-at-period-end',
    '<%= config.bin %> <%= command.id %> sub_4bT9… --default-payment-method pm_4bT9… --metadata tier=gold',
  ]
}
