import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { changeFlags } from '../../src/cli/parse/change-flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class PaymentsExpire extends BaseCommand {
  static override call = manifestCall(paymentSessions.expire)
  static override summary = 'Expire an open payment session'
  static override args = idArg('py_sess_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> py_sess_4bT9…']
}
