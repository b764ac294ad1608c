import { paymentSessions } from '../../src/api/payment-sessions.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { callOf } from '../../src/cli/call.ts'
import { changeFlags } from '../../src/cli/create-flags.ts'
import { idArg } from '../../src/cli/id-arg.ts'

export default class PaymentsExpire extends BaseCommand {
  static override call = callOf(paymentSessions.expire)
  static override summary = paymentSessions.expire.summary
  static override args = idArg('py_sess_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> py_sess_4bT9…']
}
