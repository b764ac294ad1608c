import { checkoutSessions } from '../../src/api/checkout-sessions.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { callOf } from '../../src/cli/call.ts'
import { changeFlags } from '../../src/cli/create-flags.ts'
import { idArg } from '../../src/cli/id-arg.ts'

export default class CheckoutExpire extends BaseCommand {
  static override call = callOf(checkoutSessions.expire)
  static override summary = checkoutSessions.expire.summary
  static override args = idArg('cks_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> cks_4bT9…']
}
