import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class PaymentsRetrieve extends BaseCommand {
  static override call = manifestCall(paymentSessions.retrieve)
  static override summary = 'Retrieve a payment session'
  static override aliases = ['payments:get']
  static override args = idArg('py_sess_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> py_sess_4bT9…',
    '<%= config.bin %> <%= command.id %> py_sess_4bT9… --json',
    '<%= config.bin %> <%= command.id %> py_sess_4bT9… --field id',
  ]
}
