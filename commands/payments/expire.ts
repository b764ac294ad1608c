import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { changeFlags } from '../../src/cli/parse/create-flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { callOf } from '../../src/cli/request/call.ts'

export default class PaymentsExpire extends BaseCommand {
  static override call = callOf(paymentSessions.expire)
  static override summary = paymentSessions.expire.summary
  static override args = idArg('py_sess_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> py_sess_4bT9…']
}
