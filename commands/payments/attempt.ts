import { payments } from '../../src/api/operations/payments.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class PaymentsAttempt extends operationCommand(payments.retrieve, 'py_4bT9…') {
  static override summary = 'Retrieve a charge attempt'
  static override examples = [
    '<%= config.bin %> <%= command.id %> py_4bT9…',
    '<%= config.bin %> <%= command.id %> py_4bT9… --json',
    '<%= config.bin %> <%= command.id %> py_4bT9… --field decline_code',
  ]
}
