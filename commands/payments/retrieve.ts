import { PaymentRetrieveCommand } from '../../src/cli/command/payment-retrieve-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'

export default class PaymentsRetrieve extends PaymentRetrieveCommand {
  static override summary = 'Retrieve a payment'
  static override description = 'With the id of a payment session, retrieves the session.'
  static override aliases = ['payments:get', 'payments:attempt']
  static override args = idArg('py_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> py_4bT9…',
    '<%= config.bin %> <%= command.id %> py_4bT9… --json',
    '<%= config.bin %> <%= command.id %> py_4bT9… --field decline_code',
  ]
  protected override readonly resource = 'payments'
}
