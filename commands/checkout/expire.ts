import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { changeFlags } from '../../src/cli/parse/change-flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class CheckoutExpire extends BaseCommand {
  static override call = manifestCall(checkoutSessions.expire)
  static override summary = 'Expire an open checkout session'
  static override args = idArg('cks_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> cks_4bT9…']
}
