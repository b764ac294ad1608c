import { PaymentRetrieveCommand } from '../../src/cli/command/payment-retrieve-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'

export default class PaymentSessionsRetrieve extends PaymentRetrieveCommand {
  static override summary = 'Retrieve a payment session'
  static override description = 'With the id of a payment, retrieves the payment.'
  static override aliases = ['payment-sessions:get']
  static override args = idArg('py_sess_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> py_sess_4bT9…',
    '<%= config.bin %> <%= command.id %> py_sess_4bT9… --json',
    '<%= config.bin %> <%= command.id %> py_sess_4bT9… --field status',
  ]
  protected override readonly resource = 'payment_sessions'
}
