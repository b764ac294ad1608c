import { payments } from '../../src/api/operations/payments.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class PaymentsAuthenticate extends operationCommand(payments.authenticate, 'py_4bT9…') {
  static override summary = 'Approve or reject 3-D Secure for a payment'
  static override description =
    'Approves or rejects for the cardholder, as the page of the payment does. Exits with 6 if the payment fails.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> py_4bT9…',
    '<%= config.bin %> <%= command.id %> py_4bT9… --three-d-secure reject',
  ]
}
