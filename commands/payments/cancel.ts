import { payments } from '../../src/api/operations/payments.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class PaymentsCancel extends operationCommand(payments.cancel, 'py_4bT9…') {
  static override summary = 'Cancel a payment that requires authentication'
  static override examples = ['<%= config.bin %> <%= command.id %> py_4bT9…']
}
