import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class PaymentsRetrieve extends operationCommand(paymentSessions.retrieve, 'py_sess_4bT9…') {
  static override summary = 'Retrieve a payment session'
  static override aliases = ['payments:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> py_sess_4bT9…',
    '<%= config.bin %> <%= command.id %> py_sess_4bT9… --json',
    '<%= config.bin %> <%= command.id %> py_sess_4bT9… --field id',
  ]
}
